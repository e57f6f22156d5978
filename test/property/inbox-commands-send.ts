// Sends: to one agent, to all, to a thread, aside to a member of it; for the first time, again, and several at once.
import { expect } from 'vitest';
import type { AppendResult, MessageRecord, SendPlan } from '../../dist/ports/store.js';
import { InboxCall, InboxCommand, codeOf, type Step } from './inbox-command.js';
import type { Take } from './inbox-commands-read.js';
import type { Inbox } from './inbox-model.js';
import { send, type Verdict } from './inbox-sending.js';
import { expectUnread, filledInboxes, inboxMax, type World } from './inbox-world.js';

export interface Letter {
  from: string;
  threadId: string | null;
  target: string | null;
  text: string;
  priority: 'low' | 'normal' | 'high';
  action: 'interrupt' | 'queue';
  urgent: boolean;
  mentions: string[];
  type: 'QUERY' | 'RESULT' | null;
  ttlMs: number | null;
  key: string | null;
  wantsReceipt: boolean;
}

const keyKeptMs = 24 * 60 * 60 * 1_000;

function toPlan({ from, ttlMs, text, key, ...rest }: Letter, sessionId: string, now: number): SendPlan {
  const nothing = {
    attachments: null,
    replyTo: null,
    context: null,
    payload: null,
    metadata: {},
    label: null,
    role: null,
    notice: null,
  };
  return {
    ...rest,
    ...nothing,
    sessionId,
    sender: from,
    isAdmin: false,
    content: JSON.stringify([{ type: 'text', text }]),
    mentionsInText: [],
    shareThinking: false,
    at: now,
    expiresAt: ttlMs === null ? null : now + ttlMs,
    key:
      key === null
        ? null
        : { key, hash: JSON.stringify({ from, ttlMs, text, ...rest }), at: now, expiresAt: now + keyKeptMs },
  };
}

function startSend(letter: Letter, model: Inbox, world: World): Step {
  const plan = toPlan(letter, world.sessionId, model.now);
  const seqBefore = model.lastSeq;
  const verdict = send(model, plan, inboxMax);
  const stored = model.messages[seqBefore];
  if (letter.key !== null) world.keyed.push(letter);
  return {
    answer: world.store.appendMessage(plan).catch(codeOf),
    compare: (answer) => compareSent({ model, plan, verdict, stored }, answer as AppendResult | string),
  };
}

interface Sending {
  model: Inbox;
  plan: SendPlan;
  verdict: Verdict;
  stored: MessageRecord | undefined;
}

function compareSent({ model, plan, verdict, stored }: Sending, answer: AppendResult | string): void {
  if (verdict.kind === 'refused') {
    const code = typeof answer === 'string' ? answer : 'refused' in answer ? answer.refused.code : 'nothing';
    expect(code, 'refusal').toBe(verdict.code);
    expect(typeof answer !== 'string', 'is kept as a dead letter').toBe(verdict.isKept);
    if (stored !== undefined && typeof answer !== 'string' && 'refused' in answer)
      stored.id = String(answer.refused.details?.['messageId']);
    return;
  }
  if (typeof answer === 'string' || 'refused' in answer) return expect.fail(`was refused: ${JSON.stringify(answer)}`);
  const { appended } = answer;
  if (stored !== undefined) stored.id = appended.id;
  const { accepted, isDuplicate } = verdict;
  const { recipients, undelivered, mentions, duplicate, isInterrupt } = appended;
  expect({ seq: appended.seq, recipients, undelivered, mentions }, 'where it went').toEqual(accepted);
  expect(appended.id, 'the id of the first answer').toBe(model.messages[accepted.seq - 1]?.id);
  expect({ duplicate, isInterrupt }, 'how it went').toEqual({
    duplicate: isDuplicate,
    isInterrupt: plan.action === 'interrupt',
  });
}

export class Send extends InboxCall {
  readonly #letter: Letter;

  constructor(letter: Letter) {
    super();
    this.#letter = letter;
  }

  start(model: Inbox, world: World): Step {
    const step = this.startAmongOthers(model, world);
    const compare = (answer: unknown) => {
      step.compare(answer);
      if (typeof answer === 'object' && answer !== null && 'senderUnread' in answer)
        expectUnread(model, this.#letter.from, Number(answer.senderUnread));
    };
    return { answer: step.answer, compare };
  }

  /** Without what others may have changed when the answer is looked at. */
  startAmongOthers(model: Inbox, world: World): Step {
    return startSend(this.#letter, model, world);
  }

  toString(): string {
    return `Send(${JSON.stringify(this.#letter)})`;
  }
}

/** An earlier letter with its key, as it was or with another text. */
export class SendAgain extends InboxCall {
  readonly #pick: number;
  readonly #text: string | null;

  constructor(pick: number, text: string | null) {
    super();
    this.#pick = pick;
    this.#text = text;
  }

  start(model: Inbox, world: World): Step {
    const letter = world.keyed[this.#pick % world.keyed.length];
    if (letter === undefined) return { answer: Promise.resolve(), compare() {} };
    return startSend({ ...letter, text: this.#text ?? letter.text }, model, world);
  }

  toString(): string {
    return `SendAgain(${this.#pick}, ${JSON.stringify(this.#text)})`;
  }
}

/** Several in one turn of the loop: they may share a commit, and are answered as if each had come alone, in this order. */
export class Together extends InboxCommand {
  readonly #commands: (Send | Take)[];

  constructor(commands: (Send | Take)[]) {
    super();
    this.#commands = commands;
  }

  async run(model: Inbox, world: World): Promise<void> {
    const before = filledInboxes(model);
    // A shared store may put them in any order: there they come one by one.
    const turns = world.opened.isShared ? this.#commands.map((command) => [command]) : [this.#commands];
    for (const commands of turns) {
      const steps = commands.map((command) => command.startAmongOthers(model, world));
      const answers = await Promise.all(steps.map(({ answer }) => answer));
      for (const [index, step] of steps.entries()) step.compare(answers[index]);
    }
    await world.hearWords(model, before);
  }

  toString(): string {
    return `Together(${this.#commands.join(', ')})`;
  }
}
