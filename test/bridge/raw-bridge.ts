// A bridge spoken to line by line, for tests that decide what is written and read, and when.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cleanUpAfter } from '../support/clean-up.js';
import { cliPath } from '../support/hub-process.js';
import { anyPort } from './any-port.js';

interface Line {
  id?: number | null;
  method?: string;
  // Tests read the fields they promise; a wrong one fails the assertion.
  // oxlint-disable-next-line typescript/no-explicit-any
  result?: any;
}

export interface RawBridge {
  pid: number;
  lines: Line[];
  stderr(): string;
  /** Writes one message; a request gets the next id, which is returned. */
  send(method: string, params?: Record<string, unknown>): number;
  /** As it is, without a newline. */
  write(text: string): void;
  notify(method: string, params: Record<string, unknown>): void;
  callTool(name: string, input: Record<string, unknown>): number;
  answer(id: number): Promise<NonNullable<Line['result']>>;
  /** What the bridge writes from now on fills the pipe. */
  pauseReading(): void;
  unreadBytes(): number;
  resumeReading(): void;
  endInput(): void;
  /** Closes both pipes, as the death of the client's process does. */
  vanish(): void;
  kill(signal: NodeJS.Signals): void;
  exited: Promise<number | null>;
}

/** Ended after the test, before its hub: a bridge would start another. */
export async function startRawBridge(
  args: string[],
  clientName = 'test',
  env: Record<string, string> = anyPort,
): Promise<RawBridge> {
  const child = spawn(process.execPath, [cliPath, 'mcp', ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const lines: Line[] = [];
  let rest = '';
  let errors = '';
  let onLine = () => {};
  let lastId = 0;
  child.stdin.on('error', () => {});
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  child.stdout.on('data', (chunk: Buffer) => {
    const pieces = (rest + chunk.toString()).split('\n');
    rest = pieces.pop() ?? '';
    lines.push(...pieces.filter((line) => line !== '').map((line): Line => JSON.parse(line)));
    onLine();
  });
  const write = (message: Record<string, unknown>) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const send = (method: string, params: Record<string, unknown> = {}) => {
    lastId += 1;
    write({ id: lastId, method, params });
    return lastId;
  };
  const exited = once(child, 'exit').then(() => child.exitCode);
  cleanUpAfter(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const answer = async (id: number) => {
    const deadline = performance.now() + 20_000;
    for (;;) {
      const found = lines.find((line) => line.id === id);
      if (found !== undefined) return found.result ?? found;
      if (performance.now() > deadline) throw new Error(`no answer to ${id}: ${JSON.stringify(lines)} ${errors}`);
      await Promise.race([new Promise<void>((resolve) => (onLine = resolve)), exited]);
      if (child.exitCode !== null && !lines.some((line) => line.id === id)) throw new Error(`ended: ${errors}`);
    }
  };
  const bridge: RawBridge = {
    pid: child.pid ?? 0,
    lines,
    stderr: () => errors,
    send,
    write: (text) => void child.stdin.write(text),
    notify: (method, params) => void write({ method, params }),
    callTool: (name, input) => send('tools/call', { name, arguments: input }),
    answer,
    pauseReading: () => void child.stdout.pause(),
    unreadBytes: () => child.stdout.readableLength,
    resumeReading: () => void child.stdout.resume(),
    endInput: () => void child.stdin.end(),
    vanish() {
      child.stdin.destroy();
      child.stdout.destroy();
    },
    kill: (signal) => void child.kill(signal),
    exited,
  };
  await answer(
    send('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: clientName, version: '1' },
    }),
  );
  bridge.notify('notifications/initialized', {});
  return bridge;
}
