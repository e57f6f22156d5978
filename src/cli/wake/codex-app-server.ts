// Runs one turn of a Codex thread in a `codex app-server` of its own: JSON lines over stdio. It ends with the turn, so that the
// thread is free for other programs meanwhile.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { packageVersion } from '../../version.js';
import { PassFailure } from './adapter.js';
import type { Attempt } from './attend.js';
import { parsedJson } from './parsed-json.js';

export interface Turn {
  program: string;
  thread: string;
  text: string;
  attempt: Attempt;
  signal: AbortSignal;
}

const line = z.object({
  id: z.union([z.number(), z.string()]).optional(),
  method: z.string().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
  params: z.unknown().optional(),
});
const turnEnd = z.object({
  turn: z.object({ status: z.string(), error: z.object({ message: z.string() }).nullish() }),
});

const answerMsMax = 30_000;
const turnMsMax = 60 * 60_000;
const beatMs = 10_000;
const methodNotFound = -32_601;

/** Resolves at the end of the turn. */
export async function startTurn({ program, thread, text, attempt, signal }: Turn): Promise<void> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(turnMsMax)]);
  const server = openServer(program, until);
  let beat: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    beat = attempt.running();
  }, beatMs);
  try {
    await server.call('initialize', {
      clientInfo: { name: 'coterie-wake', title: 'Coterie', version: packageVersion },
    });
    server.tell('initialized');
    await server.call('thread/resume', { threadId: thread });
    const ended = server.event('turn/completed');
    await server.call('turn/start', { threadId: thread, input: [{ type: 'text', text }] });
    beat = attempt.running();
    const { turn } = turnEnd.parse(await ended);
    if (turn.status === 'failed')
      throw new PassFailure('the turn of Codex failed', turn.error?.message ?? 'no reason given');
  } finally {
    clearInterval(timer);
    server.close();
    await beat;
  }
}

interface Expected {
  method: string;
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

function openServer(program: string, signal: AbortSignal) {
  const child = spawn(program, ['app-server'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const answers = new Map<number, Expected>();
  const events = new Map<string, (params: unknown) => void>();
  let [calls, ended] = [0, undefined as Error | undefined];
  const close = () => child.kill('SIGKILL');
  const fail = (error: Error) => {
    ended ??= error;
    for (const { reject } of answers.values()) reject(ended);
    close();
  };
  child.once('error', (cause) => fail(new PassFailure('codex app-server cannot be run', cause.message, { cause })));
  child.once('close', (code) => fail(new PassFailure(`codex app-server ended with exit code ${code}`, '')));
  child.stdin.on('error', () => {});
  signal.addEventListener('abort', () => fail(new PassFailure('the turn was ended with its companion', '')), {
    once: true,
  });
  const write = (value: unknown) => child.stdin.write(`${JSON.stringify(value)}\n`);

  createInterface({ input: child.stdout }).on('line', (received) => {
    const said = line.safeParse(parsedJson(received)).data;
    if (said === undefined) return;
    const { id, method, result, error, params } = said;
    if (method !== undefined && id === undefined) events.get(method)?.(params);
    // It asks a person, for example whether a command may run; there is none here.
    else if (method !== undefined) write({ id, error: { code: methodNotFound, message: 'Nobody is here to ask.' } });
    else if (typeof id === 'number') {
      const answer = answers.get(id);
      answers.delete(id);
      if (error === undefined) answer?.resolve(result);
      else answer?.reject(new PassFailure(`codex app-server refused ${answer.method}`, error.message));
    }
  });

  function waitFor(register: (settle: Omit<Expected, 'method'>) => void) {
    return new Promise<unknown>((resolve, reject) => {
      if (ended === undefined) register({ resolve, reject });
      else reject(ended);
    });
  }

  return {
    tell: (method: string) => write({ method }),
    call(method: string, params: unknown): Promise<unknown> {
      calls += 1;
      const id = calls;
      const late = setTimeout(
        () => fail(new PassFailure(`codex app-server did not answer ${method}`, '')),
        answerMsMax,
      );
      const answer = waitFor((settle) => answers.set(id, { ...settle, method }));
      write({ id, method, params });
      return answer.finally(() => clearTimeout(late));
    },
    /** The next one of this name. */
    event: (method: string): Promise<unknown> => {
      const arrived = waitFor(({ resolve, reject }) => {
        events.set(method, resolve);
        // Numbered below the calls, which begin with 1.
        answers.set(-events.size, { resolve, reject, method });
      });
      // It may fail before it is awaited.
      arrived.catch(() => {});
      return arrived;
    },
    close,
  };
}
