// Companions as processes, an agent that they wake, and what the hub says of it. The switches and notes of each test file are its own.
import { join } from 'node:path';
import { startCli, type Running } from '../cli/run-cli.js';
import { configFile } from './config-file.js';
import { eventually } from './eventually.js';
import { call } from './http-call.js';
import { tempFolder } from './temp-folder.js';

/** Wakes follow each other at once, so that tests are short. */
export const promptWakes = () => configFile({ limits: { wakeQuietMs: 1, wakeGraceMs: 1, wakesPerHour: 1_000 } });

/** Where this user keeps switches and notes. */
export function ownState(): { XDG_DATA_HOME: string } {
  return { XDG_DATA_HOME: join(tempFolder(), 'share') };
}

export interface Woken {
  readonly agent: string;
  send(content?: string): Promise<string>;
  /** As the agent itself. */
  read(): Promise<string[]>;
  unread(): Promise<number>;
  // Tests read the fields they promise; a wrong one fails the assertion.
  // oxlint-disable-next-line typescript/no-explicit-any
  wakes(): Promise<any>;
  /** Resolves when a companion waits. */
  hasRoute(): Promise<void>;
  hasNoRoute(): Promise<void>;
  /** `kind state` of each attempt, oldest first. */
  attempts(): Promise<string[]>;
}

let agents = 0;

export async function newAgent(url: () => string): Promise<Woken> {
  agents += 1;
  const agent = `woken-${process.pid}-${agents}`;
  await call(url(), 'register_agent', {}, { agent });
  const as = (operation: string, input: object) => call(url(), operation, input, { agent });
  const live = async () => {
    const { routes } = await as('list_wakes', {});
    return routes.filter(({ state }: { state: string }) => state === 'live').length;
  };
  return {
    agent,
    send: async (content = 'The secret is 4711.') =>
      (await call(url(), 'send_message', { target: agent, content }, { agent: 'ada' })).messageId,
    read: async () => (await as('get_messages', {})).messages.map(({ id }: { id: string }) => id),
    // As someone else: a call of the agent itself would confirm a wake.
    async unread() {
      const peek = { sessionId: agent, markAsRead: false, limit: 500 };
      return (await call(url(), 'get_messages', peek, { agent: 'ada' })).messages.length;
    },
    wakes: () => as('list_wakes', {}),
    hasRoute: () => eventually(`a live route of ${agent}`, async () => (await live()) > 0).then(() => {}),
    hasNoRoute: () => eventually(`no live route of ${agent}`, async () => (await live()) === 0).then(() => {}),
    async attempts() {
      const { wakes } = await as('list_wakes', { limit: 50 });
      return wakes
        .toReversed()
        .flatMap((wake: { attempts: { kind: string; state: string }[] }) => wake.attempts)
        .map(({ kind, state }: { kind: string; state: string }) => `${kind} ${state}`);
    },
  };
}

export function startCompanion(args: readonly string[], options: Parameters<typeof startCli>[1]): Running {
  return startCli(['wake', ...args], options);
}
