// Looks for a marked text wherever a hub could have left it.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { Client, escapeIdentifier } from 'pg';
import { cleanUpAfter } from './clean-up.js';
import { databaseOf } from './test-database.js';

export function newMark(what: string): string {
  return `canary-${what}-${randomBytes(9).toString('hex')}`;
}

/** As it is, in hex, and in base64 wherever it may begin in it. */
function formsOf(mark: string): string[] {
  const inBase64 = [0, 1, 2].map((offset) => {
    const text = Buffer.from(`${'x'.repeat(offset)}${mark}`)
      .toString('base64')
      .replaceAll('=', '');
    return text.slice(Math.ceil((offset * 4) / 3) + 1, -2);
  });
  return [mark, Buffer.from(mark).toString('hex'), ...inBase64];
}

export function marksIn(bytes: Buffer | string, marks: readonly string[]): string[] {
  const text = typeof bytes === 'string' ? bytes : bytes.toString('latin1');
  return marks.filter((mark) => formsOf(mark).some((form) => text.includes(form)));
}

/** Everything that is stored: the files of the folder, and the rows of its database. */
export async function storedBytes(folder: string): Promise<Buffer> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const contents = files.map((entry) => readFileSync(join(entry.parentPath, entry.name)));
  return Buffer.concat([...contents, Buffer.from(await dump(folder))]);
}

async function dump(folder: string): Promise<string> {
  const address = await databaseOf(folder);
  if (address === null) return '';
  const client = new Client(address);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public'",
    );
    let text = '';
    for (const { name } of rows) {
      const found = await client.query<{ row: string }>(`select t::text as row from ${escapeIdentifier(name)} t`);
      text += found.rows.map(({ row }) => row).join('\n');
    }
    return text;
  } finally {
    await client.end();
  }
}

/** Forwards to a hub, and keeps every byte of both directions. */
export async function recordingProxy(hubUrl: string): Promise<{ url: string; traffic: () => Buffer }> {
  const { hostname, port } = new URL(hubUrl);
  const chunks: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const hub = connect({ host: hostname, port: Number(port) });
    for (const [from, to] of [
      [client, hub],
      [hub, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        to.write(chunk);
      });
      from.on('error', () => to.destroy());
      from.once('close', () => to.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUpAfter(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, traffic: () => Buffer.concat(chunks) };
}
