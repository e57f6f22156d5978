// coterie demo: three scripted agents talk in a thread through a real hub. The conversation is printed live from the
// hub's event feed.
import { setTimeout as sleep } from 'node:timers/promises';
import { HubClient } from '../client/hub-client.js';
import { HubError } from '../contract/errors.js';
import { durationForm, readMs, type Flag } from './arguments/flag.js';
import { dataFlag, jsonFlag, readHubChoice, urlFlag } from './arguments/hub-flags.js';
import { readArgs } from './arguments/read-args.js';
import { usage } from './arguments/usage.js';
import type { Command, Description } from './command.js';
import { openDemoHub, temporaryHub, type DemoHub } from './demo/open-hub.js';
import { agents, script, summary, title, type Line } from './demo/script.js';
import { showInBrowser } from './demo/web.js';
import { exitCodes } from './show/exit-code.js';
import { explainNoHub } from './hub/find-hub.js';
import { followEvents } from './hub/follow-events.js';
import { messageLine } from './show/message-text.js';
import { paint } from './show/paint.js';
import { print, printJsonLine, printLines } from './show/print.js';

const flags: readonly Flag[] = [
  { name: 'web', help: 'watch in the browser, until Ctrl-C; always a temporary hub' },
  {
    name: 'pace',
    value: 'TIME',
    help: 'pause between messages (1s on a terminal, else 0; 3s with --web)',
    allowed: durationForm,
    read: readMs,
  },
  urlFlag,
  dataFlag,
  jsonFlag,
];

const description: Description = {
  usage: '[options]',
  about: [
    'Three scripted agents plan, write and review in a thread; no model is needed.',
    'Uses the running hub of the data folder if it has no keys, or a temporary one.',
  ],
  flags,
  examples: [
    { line: 'coterie demo', does: 'watch' },
    { line: 'coterie demo --web', does: 'watch in the browser, and answer a question' },
    { line: 'coterie demo --pace 3s', does: 'slowly' },
    { line: 'coterie demo --json', does: 'the messages as JSON lines' },
  ],
};

const session = 'demo';
const waitMs = 30_000;

export const demo: Command = {
  describe: () => description,
  async run(argv) {
    const { own } = readArgs(argv, { command: 'demo', flags });
    const ended = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort());
    if (own.has('web')) return runInBrowser(own, ended.signal);
    const choice = readHubChoice(own);
    const paceMs = readMs(own.get('pace') ?? (process.stdout.isTTY ? '1s' : '0')) ?? 0;
    const hub = await openDemoHub(choice);
    try {
      await show(hub, { isJson: own.has('json'), paceMs, signal: ended.signal });
    } catch (error) {
      if (ended.signal.aborted) return exitCodes.interrupted;
      throw error instanceof HubError ? explainNoHub(error, choice) : error;
    } finally {
      await hub.end();
    }
    return exitCodes.done;
  },
};

/** Ctrl-C is how it ends. */
async function runInBrowser(own: ReadonlyMap<string, string>, signal: AbortSignal): Promise<number> {
  const [named] = ['url', 'data'].filter((flag) => own.has(flag));
  if (named !== undefined) throw usage(`--web has a hub of its own, and no --${named}.`, 'Leave one of them out.');
  const hub = await temporaryHub();
  try {
    await showInBrowser(hub, { isJson: own.has('json'), paceMs: readMs(own.get('pace') ?? '3s') ?? 0, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await hub.end();
  }
  return exitCodes.done;
}

interface DemoOptions {
  readonly isJson: boolean;
  readonly paceMs: number;
  readonly signal: AbortSignal;
}

async function show(hub: DemoHub, options: DemoOptions): Promise<void> {
  const clientOf = (agent: string) => new HubClient({ url: hub.url, agent, session });
  const clients = { ada: clientOf('ada'), ben: clientOf('ben'), cleo: clientOf('cleo') };
  for (const [name, describes] of Object.entries(agents)) {
    await clientOf(name).call('register_agent', { description: describes });
  }
  if (!options.isJson) await printLines(introduction(hub));
  const threadId = await runAndPrint(hub, clients, options);
  await Promise.all(Object.values(clients).map((client) => readRest(client, threadId)));
  if (!options.isJson) await printLines(await closingLines(hub, clients.ada, threadId));
}

/** Starts when the feed is open, so that no message is missed; ends when the last message is printed. */
async function runAndPrint(hub: DemoHub, clients: Clients, options: DemoOptions): Promise<string> {
  const over = new AbortController();
  const signal = AbortSignal.any([options.signal, over.signal]);
  const state: DemoState = { printedSeq: 0 };
  const isOpen = new Promise<void>((resolve) => {
    state.opened = resolve;
  });
  const endWhenPrinted = () => {
    if (state.lastSeq !== undefined && state.printedSeq >= state.lastSeq) over.abort();
  };
  let running: Promise<void> | undefined;
  const onOpen = () => {
    running ??= runScript(clients, state, { ...options, signal }).then(endWhenPrinted);
    running.catch(() => over.abort());
  };
  try {
    for await (const message of followEvents({ choice: { url: hub.url, session }, signal, onOpen })) {
      // The feed may be faster than the response with the thread's id.
      await Promise.race([isOpen, running]);
      if (message.threadId !== state.threadId) continue;
      if (options.isJson) await printJsonLine(message);
      else await print(`${messageLine(message, { columns: 13, threads: 'one' })}\n`);
      state.printedSeq = message.seq;
      endWhenPrinted();
    }
    await running;
  } finally {
    over.abort();
    await running?.catch(() => {});
  }
  options.signal.throwIfAborted();
  if (state.threadId === undefined) throw new Error('the demo did not create its thread');
  return state.threadId;
}

type Clients = Record<Line['by'], HubClient>;

interface DemoState {
  threadId?: string;
  /** Called when the thread is known. */
  opened?: () => void;
  printedSeq: number;
  /** Set when all messages are sent. */
  lastSeq?: number;
}

/** Each agent waits until it is mentioned, then sends its message. */
async function runScript(clients: Clients, state: DemoState, { paceMs, signal }: DemoOptions): Promise<void> {
  const [opening, ...lines] = script;
  const closing = lines.at(-1);
  if (opening === undefined || closing === undefined) throw new Error('the script has lines');
  const coordinator = clients[opening.by];
  const others = Object.keys(agents).filter((name) => name !== opening.by);
  const { threadId } = await coordinator.call('create_thread', { title, participants: others }, { signal });
  state.threadId = threadId;
  state.opened?.();
  const sendLine = async ({ by, type, says }: Line, replyTo: string | undefined) => {
    await sleep(paceMs, undefined, { signal });
    const reply = replyTo === undefined ? {} : { replyTo };
    await clients[by].call('send_message', { threadId, content: says, messageType: type, ...reply }, { signal });
  };
  const waitFor = async ({ by, to }: Line): Promise<string> => {
    const { messages } = await clients[to].waitForMentions({ threadId, from: by, timeoutMs: waitMs }, { signal });
    const [received] = messages;
    if (received === undefined) throw new Error(`${to} was not woken by ${by}`);
    return received.id;
  };
  // Concurrently, as real agents do: each with its own waits and messages.
  const runAgent = async (name: string) => {
    for (const [index, line] of lines.entries()) {
      if (line.by === name) await sendLine(line, await waitFor(script[index] ?? opening));
    }
  };
  const coordinate = async () => {
    await sendLine(opening, undefined);
    await waitFor(closing);
    await sleep(paceMs, undefined, { signal });
    await coordinator.call('close_thread', { threadId, summary }, { signal });
  };
  await Promise.all([coordinate(), ...others.map(runAgent)]);
  const { messages } = await coordinator.call('get_thread', { threadId, limit: 1 }, { signal });
  state.lastSeq = messages.at(-1)?.seq ?? 0;
}

/** Leaves nothing of the demo unread. */
async function readRest(client: HubClient, threadId: string): Promise<void> {
  await client.getMessages({ threadId });
  await client.ack();
}

function introduction({ url, isTemporary }: DemoHub): string[] {
  const where = isTemporary ? `a temporary hub at ${url}` : `the hub at ${url}, session ${session}`;
  return [
    `Three agents on ${where}:`,
    ...Object.entries(agents).map(([name, does]) => `  ${paint('bold', name.padEnd(5))} ${does}`),
    '',
    paint('bold', title),
  ];
}

async function closingLines({ isTemporary }: DemoHub, reader: HubClient, threadId: string): Promise<string[]> {
  const { messages } = await reader.call('get_thread', { threadId });
  const receipts = await Promise.all(messages.map(({ id }) => reader.call('get_receipts', { messageId: id })));
  const copies = receipts.flatMap(({ deliveries }) => deliveries);
  const read = copies.filter(({ state }) => state === 'read').length;
  const next = isTemporary
    ? 'The temporary hub was removed. Run your own: coterie serve'
    : `Show it again: coterie thread ${threadId} --session ${session}`;
  return [
    '',
    `${messages.length} messages, ${copies.length} copies, ${read} read. No polling: each agent was woken.`,
    next,
  ];
}
