// coterie demo: three scripted agents talk in a thread through a real hub, and the conversation is printed from the
// hub's own feed as it happens.
import { setTimeout as sleep } from 'node:timers/promises';
import { HubClient } from '../client/hub-client.js';
import { HubError } from '../contract/errors.js';
import { durationForm, readMs, type Flag } from './arguments/flag.js';
import { dataFlag, jsonFlag, readHubChoice, urlFlag } from './arguments/hub-flags.js';
import { readArgs } from './arguments/read-args.js';
import type { Command, Description } from './command.js';
import { openDemoHub, type DemoHub } from './demo/open-hub.js';
import { cast, script, summary, title, type Line } from './demo/script.js';
import { exitCodes } from './exit-code.js';
import { explainNoHub } from './hub/find-hub.js';
import { followEvents } from './hub/follow-events.js';
import { messageLine } from './show/message-text.js';
import { paint } from './show/paint.js';
import { print, printJsonLine, printLines } from './show/print.js';

const flags: readonly Flag[] = [
  {
    name: 'pace',
    value: 'TIME',
    help: 'between two lines (1s on a terminal, else 0)',
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
    'Three scripted agents plan, write and review in a thread; no model is needed. Uses',
    'the running hub of the data folder, or a temporary one that it ends.',
  ],
  flags,
  examples: [
    { line: 'coterie demo', does: 'watch' },
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
    const choice = readHubChoice(own);
    const paceMs = readMs(own.get('pace') ?? (process.stdout.isTTY ? '1s' : '0')) ?? 0;
    const hub = await openDemoHub(choice);
    const ended = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort());
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

interface Staging {
  readonly isJson: boolean;
  readonly paceMs: number;
  readonly signal: AbortSignal;
}

async function show(hub: DemoHub, staging: Staging): Promise<void> {
  const clientOf = (agent: string) => new HubClient({ url: hub.url, agent, session });
  const clients = { ada: clientOf('ada'), ben: clientOf('ben'), cleo: clientOf('cleo') };
  for (const [name, describes] of Object.entries(cast)) {
    await clientOf(name).call('register_agent', { description: describes });
  }
  if (!staging.isJson) await printLines(introduction(hub));
  const threadId = await performAndPrint(hub, clients, staging);
  await Promise.all(Object.values(clients).map((client) => readRest(client, threadId)));
  if (!staging.isJson) await printLines(await epilogue(hub, clients.ada, threadId));
}

/** Begins when the feed is open, so that no word is missed; ends when the last word is printed. */
async function performAndPrint(hub: DemoHub, clients: Clients, staging: Staging): Promise<string> {
  const over = new AbortController();
  const signal = AbortSignal.any([staging.signal, over.signal]);
  const stage: Stage = { printedSeq: 0 };
  const isOpen = new Promise<void>((resolve) => {
    stage.opened = resolve;
  });
  const endWhenPrinted = () => {
    if (stage.lastSeq !== undefined && stage.printedSeq >= stage.lastSeq) over.abort();
  };
  let performed: Promise<void> | undefined;
  const onOpen = () => {
    performed ??= perform(clients, stage, { ...staging, signal }).then(endWhenPrinted);
    performed.catch(() => over.abort());
  };
  try {
    for await (const message of followEvents({ choice: { url: hub.url, session }, signal, onOpen })) {
      // The feed may be faster than the answer that names the thread.
      await Promise.race([isOpen, performed]);
      if (message.threadId !== stage.threadId) continue;
      if (staging.isJson) await printJsonLine(message);
      else await print(`${messageLine(message, { whoColumns: 13, isInThread: true })}\n`);
      stage.printedSeq = message.seq;
      endWhenPrinted();
    }
    await performed;
  } finally {
    over.abort();
    await performed?.catch(() => {});
  }
  staging.signal.throwIfAborted();
  if (stage.threadId === undefined) throw new Error('the performance had a thread');
  return stage.threadId;
}

type Clients = Record<Line['by'], HubClient>;

interface Stage {
  threadId?: string;
  /** Called when the thread is known. */
  opened?: () => void;
  printedSeq: number;
  /** Known when all is said. */
  lastSeq?: number;
}

/** Everyone waits to be mentioned, then speaks. */
async function perform(clients: Clients, stage: Stage, { paceMs, signal }: Staging): Promise<void> {
  const [opening, ...lines] = script;
  const closing = lines.at(-1);
  if (opening === undefined || closing === undefined) throw new Error('the script has lines');
  const director = clients[opening.by];
  const others = Object.keys(cast).filter((name) => name !== opening.by);
  const { threadId } = await director.call('create_thread', { title, participants: others }, { signal });
  stage.threadId = threadId;
  stage.opened?.();
  const say = async ({ by, type, says }: Line, replyTo: string | undefined) => {
    await sleep(paceMs, undefined, { signal });
    const reply = replyTo === undefined ? {} : { replyTo };
    await clients[by].call('send_message', { threadId, content: says, messageType: type, ...reply }, { signal });
  };
  const hear = async ({ by, to }: Line): Promise<string> => {
    const { messages } = await clients[to].waitForMentions({ threadId, from: by, timeoutMs: waitMs }, { signal });
    const [heard] = messages;
    if (heard === undefined) throw new Error(`${to} was not woken by ${by}`);
    return heard.id;
  };
  // All at once, as agents are: each with its own waits and its own lines.
  const play = async (name: string) => {
    for (const [index, line] of lines.entries()) {
      if (line.by === name) await say(line, await hear(script[index] ?? opening));
    }
  };
  const direct = async () => {
    await say(opening, undefined);
    await hear(closing);
    await sleep(paceMs, undefined, { signal });
    await director.call('close_thread', { threadId, summary }, { signal });
  };
  await Promise.all([direct(), ...others.map(play)]);
  const { messages } = await director.call('get_thread', { threadId, limit: 1 }, { signal });
  stage.lastSeq = messages.at(-1)?.seq ?? 0;
}

/** Nothing of the demo is left unread. */
async function readRest(client: HubClient, threadId: string): Promise<void> {
  await client.getMessages({ threadId });
  await client.ack();
}

function introduction({ url, isTemporary }: DemoHub): string[] {
  const where = isTemporary ? `a temporary hub at ${url}` : `the hub at ${url}, session ${session}`;
  return [
    `Three agents on ${where}:`,
    ...Object.entries(cast).map(([name, does]) => `  ${paint('bold', name.padEnd(5))} ${does}`),
    '',
    paint('bold', title),
  ];
}

async function epilogue({ isTemporary }: DemoHub, reader: HubClient, threadId: string): Promise<string[]> {
  const { messages } = await reader.call('get_thread', { threadId });
  const receipts = await Promise.all(messages.map(({ id }) => reader.call('get_receipts', { messageId: id })));
  const copies = receipts.flatMap(({ deliveries }) => deliveries);
  const read = copies.filter(({ state }) => state === 'read').length;
  const next = isTemporary
    ? 'The temporary hub is gone. Run your own: coterie serve'
    : `Look again: coterie thread ${threadId} --session ${session}`;
  return [
    '',
    `${messages.length} messages, ${copies.length} copies, ${read} read. No one polled: each was woken.`,
    next,
  ];
}
