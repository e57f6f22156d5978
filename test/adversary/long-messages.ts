// Long messages, clients that do not read, and the memory of the hub that serves them.
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { cleanUpAfter } from '../support/clean-up.js';
import { call } from '../support/http-call.js';

/** Just within the limit of a message. */
const longText = 'x'.repeat(250_000);

/** The most that the process has had in memory, with buffers, which the size of the heap does not bound. */
export function peakMiB(pid: number): number {
  const [, kib = '0'] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kib) / 1024);
}

/** The peak of a hub with a 512 MB heap may be no more, however it is attacked. */
export const peakMiBMax = 700;

export async function sendLong(url: string, to: Record<string, string>, count: number): Promise<void> {
  const senders = Array.from({ length: 4 }, (_, index) => index);
  await Promise.all(
    senders.map(async (sender) => {
      for (let sent = sender; sent < count; sent += senders.length) {
        await call(url, 'send_message', { ...to, content: longText }, { agent: 'sender' });
      }
    }),
  );
}

export interface Request {
  path: string;
  agent: string;
  /** GET without one. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** Sends a request and reads nothing of its answer, not even what the kernel would buffer beyond its first part. */
export async function askWithoutReading(url: string, request: Request): Promise<Socket> {
  const { hostname, port, host } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  cleanUpAfter(() => socket.destroy());
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.pause();
  socket.write(textOf(host, request));
  return socket;
}

function textOf(host: string, { path, agent, body, headers = {} }: Request): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const lines = [
    `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1`,
    `host: ${host}`,
    `coterie-agent: ${agent}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(text)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${text}`;
}
