// What happens around the inboxes: time passes, the reaper comes, the hub restarts, agents and members come and go.
import { expect } from 'vitest';
import type { ReapResult, ThreadChanged } from '../../dist/ports/store.js';
import { InboxCall, InboxCommand, codeOf, type Step } from './inbox-command.js';
import type { Inbox } from './inbox-model.js';
import { inboxMax, manualLeaseMs, runOutsMax, type World } from './inbox-world.js';
import { cliAudit } from '../support/cli-audit.js';

export class Advance extends InboxCommand {
  readonly #ms: number;

  constructor(ms: number) {
    super();
    this.#ms = ms;
  }

  async run(model: Inbox): Promise<void> {
    model.now += this.#ms;
    model.monotonic += this.#ms;
  }

  toString(): string {
    return `Advance(${this.#ms})`;
  }
}

/** One after the other, where chance alone would seldom bring them together. */
export class InTurn extends InboxCommand {
  readonly #commands: InboxCommand[];

  constructor(commands: InboxCommand[]) {
    super();
    this.#commands = commands;
  }

  async run(model: Inbox, world: World): Promise<void> {
    for (const command of this.#commands) if (command.check(model)) await command.run(model, world);
  }

  toString(): string {
    return `InTurn(${this.#commands.join(', ')})`;
  }
}

export class Reap extends InboxCall {
  start(model: Inbox, world: World): Step {
    const { now, monotonic: monotonicNow } = model;
    const answer = world.store.reap({ now, monotonicNow, runOutsMax });
    const expected = model.reap(runOutsMax);
    return {
      answer,
      compare(given) {
        const { expired, deadLettered, returned } = given as ReapResult;
        const agents = returned.map(({ agentId }) => agentId).toSorted();
        expect({ expired, deadLettered, returned: agents }, 'what the reaper did').toEqual({
          ...expected,
          returned: expected.returned.toSorted(),
        });
      },
    };
  }

  toString(): string {
    return 'Reap()';
  }
}

export class Restart extends InboxCommand {
  async run(model: Inbox, world: World): Promise<void> {
    await world.opened.restart();
    if (!world.opened.isShared) model.restart(manualLeaseMs);
    await world.checkSession(model);
  }

  toString(): string {
    return 'Restart()';
  }
}

export class RemoveAgent extends InboxCall {
  readonly #agent: string;

  constructor(agent: string) {
    super();
    this.#agent = agent;
  }

  override check({ agents }: Readonly<Inbox>): boolean {
    return agents.has(this.#agent);
  }

  start(model: Inbox, { store, sessionId }: World): Step {
    const threads = [...model.threads].filter(([, { members }]) => members.includes(this.#agent)).map(([id]) => id);
    const answer = store.removeAgent({ sessionId, id: this.#agent, at: model.now, audit: null });
    const expected = { leftThreads: threads.toSorted(), deadLettered: model.remove(this.#agent), hasMore: false };
    return { answer, compare: (given) => expect(given, 'what the removed left').toEqual(expected) };
  }

  toString(): string {
    return `RemoveAgent(${this.#agent})`;
  }
}

export class RegisterAgain extends InboxCall {
  readonly #agent: string;

  constructor(agent: string) {
    super();
    this.#agent = agent;
  }

  override check({ agents }: Readonly<Inbox>): boolean {
    return !agents.has(this.#agent);
  }

  start(model: Inbox, world: World): Step {
    return { answer: world.register(model, this.#agent), compare() {} };
  }

  toString(): string {
    return `RegisterAgain(${this.#agent})`;
  }
}

export class JoinOrLeave extends InboxCall {
  readonly #agent: string;
  readonly #threadId: string;

  constructor(agent: string, threadId: string) {
    super();
    this.#agent = agent;
    this.#threadId = threadId;
  }

  override check({ agents }: Readonly<Inbox>): boolean {
    return agents.has(this.#agent);
  }

  start(model: Inbox, { store, sessionId }: World): Step {
    const agent = this.#agent;
    const threadId = this.#threadId;
    const thread = model.threads.get(threadId);
    const kind = thread?.members.includes(agent) ? 'leave' : 'join';
    const by = { by: agent, isAdmin: false, at: model.now, audit: cliAudit(sessionId) };
    const plan = { sessionId, threadId, change: { kind } as const, ...by };
    const answer = store.changeThread(plan).catch(codeOf);
    const isRefused = kind === 'join' && !thread?.isOpen;
    const deadLettered = kind === 'leave' ? model.leave(threadId, agent) : 0;
    if (kind === 'join' && !isRefused && thread !== undefined) {
      model.expectNotice(threadId, [agent], inboxMax);
      model.expectNotice(threadId, thread.members, inboxMax);
      thread.members.push(agent);
    }
    const members = [...(thread?.members ?? [])];
    return {
      answer,
      compare(given) {
        if (isRefused) return expect(given, 'joining a closed thread').toBe('THREAD_CLOSED');
        const changed = given as ThreadChanged;
        expect(changed.deadLettered, 'copies that ended with the membership').toBe(deadLettered);
        expect(changed.thread.members, 'members').toEqual(members);
      },
    };
  }

  toString(): string {
    return `JoinOrLeave(${this.#agent}, ${this.#threadId})`;
  }
}
