// coterie demo --web: a scripted team talks on a hub of its own while you watch in the browser, and asks you something.
import { setTimeout as sleep } from 'node:timers/promises';
import { HubClient } from '../../client/hub-client.js';
import { systemAgentId } from '../../contract/ids.js';
import { paint } from '../show/paint.js';
import { print, printJsonLine, printLines } from '../show/print.js';
import { oneLine } from '../show/printable.js';
import type { DemoHub } from './open-hub.js';
import {
  afterAnswer,
  beforeQuestion,
  buildSummary,
  meanwhile,
  question,
  releaseSummary,
  scripted,
  team,
  threads,
  type Line,
  type Member,
  type ThreadName,
} from './web-script.js';

export interface WebDemoOptions {
  readonly isJson: boolean;
  readonly paceMs: number;
  /** Ends the demo. */
  readonly signal: AbortSignal;
}

const waitMs = 25_000;
const members: readonly Member[] = ['ada', 'ben', 'cleo', 'dora'];

/** Runs until the signal. */
export async function showInBrowser(hub: DemoHub, options: WebDemoOptions): Promise<void> {
  if (options.isJson) await printJsonLine({ url: hub.url });
  else await printLines(introduction(hub.url));
  await runTeam(hub.url, options);
}

function introduction(url: string): string[] {
  return [
    'A scripted team on a temporary hub:',
    ...Object.entries(team).map(([name, does]) => `  ${paint('bold', name.padEnd(5))} ${does}`),
    '',
    `Watch it, and answer its question: ${paint('bold', `${url}/`)}`,
    paint('dim', 'Ctrl-C ends it; nothing is left behind.'),
  ];
}

/** Each with its own wait, as real agents have: they are shown as waiting, and read what wakes them. */
async function runTeam(url: string, options: WebDemoOptions): Promise<void> {
  const { signal } = options;
  const clients = new Map(members.map((name) => [name, new HubClient({ url, agent: name })] as const));
  const as = (name: Member) => clients.get(name) ?? new HubClient({ url, agent: name });
  for (const name of members) await as(name).call('register_agent', { description: team[name] }, { signal });
  await Promise.all([tell(as, options), ...members.map((name) => listen(as(name), signal))]);
}

type As = (name: Member) => HubClient;

async function tell(as: As, { isJson, paceMs, signal }: WebDemoOptions): Promise<void> {
  const place = async (name: ThreadName) => {
    const { title, by, others } = threads[name];
    return (await as(by).call('create_thread', { title, participants: [...others] }, { signal })).threadId;
  };
  const threadIds = { release: await place('release'), build: await place('build') };
  const say = async (lines: readonly Line[]) => {
    for (const { by, in: thread, type, says } of lines) {
      await sleep(paceMs, undefined, { signal });
      // What did not wake it is read before it speaks.
      await as(by).getMessages({}, { signal });
      const content = typeof says === 'string' ? says : [...says];
      const sent = { threadId: threadIds[thread], content, messageType: type, shareThinking: true };
      await as(by).call('send_message', sent, { signal });
    }
  };
  const close = async (by: Member, thread: ThreadName, summary: string) => {
    await sleep(paceMs, undefined, { signal });
    await as(by).call('close_thread', { threadId: threadIds[thread], summary }, { signal });
  };
  await say(beforeQuestion);
  const asking = { ...question, options: [...question.options], threadId: threadIds.release };
  const asked = await as('ada').call('ask_question', asking, { signal });
  if (!isJson) await print(`ada asks you: ${question.question}\n`);
  await say(meanwhile);
  await close('dora', 'build', buildSummary);
  const answer = await answerTo(as('ada'), asked.questionId, signal);
  if (!isJson) await print(`The answer: ${oneLine(answer)}\n`);
  await say(afterAnswer(answer));
  await close('ada', 'release', releaseSummary(answer));
  for (const name of members) await as(name).getMessages({}, { signal });
  if (!isJson) await print('The story is told. Ctrl-C ends the hub.\n');
}

async function answerTo(client: HubClient, questionId: string, signal: AbortSignal): Promise<string> {
  for (;;) {
    const { status, response } = await client.call('get_response', { questionId, waitMs }, { signal });
    if (status !== 'pending') return response ?? `none (${status})`;
  }
}

/** Reads what wakes it, and answers who is no part of the script. */
async function listen(client: HubClient, signal: AbortSignal): Promise<never> {
  for (;;) {
    const { messages } = await client.waitForMentions({ timeoutMs: waitMs }, { signal });
    for (const { id, sender, threadId } of messages) {
      if (threadId === undefined || sender === systemAgentId || isMember(sender)) continue;
      await client.call('send_message', { threadId, replyTo: id, content: scripted, messageType: 'ACK' }, { signal });
    }
  }
}

function isMember(name: string): boolean {
  return members.some((member) => member === name);
}
