// Sends bytes over a socket of their own and reads what comes back, whatever it is.
import { connect } from 'node:net';
import type { FuzzRequest } from './requests.js';

export interface FuzzAnswer {
  /** Undefined when nothing came. */
  status: number | undefined;
  text: string;
  /** The hub was still silent, or still sending, when the fuzz gave up. */
  isGivenUp: boolean;
}

/** For requests that may stay open. */
const patienceMs = 150;
const stuckMs = 15_000;

export function exchange(url: string, { bytes, mayStayOpen }: FuzzRequest): Promise<FuzzAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let isGivenUp = false;
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const timer = setTimeout(
      () => {
        isGivenUp = true;
        socket.destroy();
      },
      mayStayOpen ? patienceMs : stuckMs,
    );
    socket.on('data', (chunk) => chunks.push(chunk));
    // A hub that refuses a request early may close before it has read all of it.
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      const text = Buffer.concat(chunks)
        .toString()
        .replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
      const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(text) ?? [];
      resolve({ status: status === undefined ? undefined : Number(status), text, isGivenUp });
    });
  });
}
