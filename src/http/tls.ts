// The certificate of the hub: read at start, and again when its files change.
import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import type { Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import { HubError } from '../contract/errors.js';
import type { Log } from '../ports/log.js';

/** Paths of PEM files. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** What is in them. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

/** How often the files are looked at. By name: a renewal replaces them, or the links that lead to them. */
const lookEveryMs = 2_000;
/** Both files are written before they are read. */
const settleMs = 1_000;

/** Refuses files that cannot be read or do not belong together. */
export function readTlsPair(files: TlsFiles): TlsPair {
  const pair = { cert: readPem('--tls-cert', files.cert), key: readPem('--tls-key', files.key) };
  requireUsable('--tls-cert', files.cert, { cert: pair.cert });
  requireUsable('--tls-key', files.key, { key: pair.key });
  requireUsable('--tls-key', `${files.key}, with the certificate ${files.cert}`, pair);
  return pair;
}

/** A pair that cannot be used changes nothing, and is logged. Returns what ends the watching. */
export function followTlsFiles(server: Server, files: TlsFiles, log: Log): () => void {
  let timer: NodeJS.Timeout | undefined;
  const reload = () => {
    try {
      server.setSecureContext(readTlsPair(files));
      log.info('certificate reloaded', { file: files.cert });
    } catch (error) {
      log.error('certificate not reloaded', { error: error instanceof Error ? error.message : String(error) });
    }
  };
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(reload, settleMs).unref();
  };
  const paths = [files.cert, files.key];
  for (const path of paths) watchFile(path, { interval: lookEveryMs, persistent: false }, changed);
  return () => {
    clearTimeout(timer);
    for (const path of paths) unwatchFile(path, changed);
  };
}

function readPem(flag: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw unusable(flag, path, cause);
  }
}

function requireUsable(flag: string, what: string, given: { cert?: string; key?: string }): void {
  try {
    createSecureContext(given);
  } catch (cause) {
    throw unusable(flag, what, cause);
  }
}

function unusable(flag: string, what: string, cause: unknown): HubError {
  const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  return new HubError('USAGE', `${flag}: cannot use ${what} (${reason}).`, {
    hint: 'Give the PEM files of a certificate, chain included, and of its private key without a passphrase.',
    cause,
  });
}
