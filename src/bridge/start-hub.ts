// Starts a hub as a background process that outlives the bridge and logs to a file in its data folder.
import { spawn } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorKinds, HubError, type ErrorCode } from '../contract/errors.js';

const pollMs = 25;
export const hubLogFile = 'hub.log';

export interface StartPorts {
  data: string;
  /** The script of the `coterie` command. */
  commandFile: string;
  /** Settings for `coterie serve`, without data and port. */
  serveArgs: readonly string[];
  /** The hub that runs for this folder. */
  runningHub: () => { pid: number; url: string } | undefined;
}

/** Resolves when the new hub serves; rejects with its error message when it could not start. */
export async function startHub(ports: StartPorts, port: number): Promise<void> {
  const logPath = join(ports.data, hubLogFile);
  const log = openLog(logPath);
  const logStart = statSync(logPath).size;
  let hasEnded = false;
  const args = [ports.commandFile, 'serve', ...ports.serveArgs, '--data', ports.data, '--port', String(port)];
  const hub = spawn(process.execPath, args, {
    detached: true,
    stdio: ['ignore', log, log],
    windowsHide: true,
    // The agent's own, and of no use to a hub.
    env: { ...process.env, COTERIE_KEY: '' },
  });
  closeSync(log);
  hub.once('exit', () => (hasEnded = true));
  hub.once('error', () => (hasEnded = true));
  hub.unref();
  while (ports.runningHub()?.pid !== hub.pid) {
    if (hasEnded) throw refusalIn(logPath, logStart);
    await sleep(pollMs, undefined, { ref: false });
  }
}

/** Not through a link, which may have come with the folder. Windows has no such flag; undefined counts as 0 here. */
function openLog(path: string): number {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants;
  try {
    return openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600);
  } catch (cause) {
    throw new HubError('DATA_NOT_WRITABLE', `Cannot write the hub's log ${path}.`, {
      hint: 'It must be a file this user can write, and no link.',
      details: { path },
      cause,
    });
  }
}

/** `coterie serve` ends with `CODE: message` and a hint on stderr. */
function refusalIn(logPath: string, start: number): HubError {
  const written = readFileSync(logPath).subarray(start).toString('utf8');
  const match = /^([A-Z_]+): (.*)\n(.*)$/m.exec(written);
  const [, code = '', message = '', hint = ''] = match ?? [];
  if (isKnownCode(code)) return new HubError(code, message, { hint });
  return new HubError('HUB_UNREACHABLE', 'The hub exited right after it was started.', {
    hint: `See its log: ${logPath}`,
    details: { log: logPath },
  });
}

function isKnownCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorKinds, code);
}
