// How a command runs: the model first, then the store, then both are compared.
import type * as fc from 'fast-check';
import { HubError } from '../../dist/contract/errors.js';
import type { Inbox } from './inbox-model.js';
import { filledInboxes, type World } from './inbox-world.js';

/** The call is on its way and the model already changed. */
export interface Step {
  answer: Promise<unknown>;
  compare(answer: unknown): void;
}

export abstract class InboxCommand implements fc.AsyncCommand<Inbox, World> {
  check(_model: Readonly<Inbox>): boolean {
    return true;
  }

  abstract run(model: Inbox, world: World): Promise<void>;
  abstract toString(): string;
}

/** A command that is one call to the store. */
export abstract class InboxCall extends InboxCommand {
  abstract start(model: Inbox, world: World): Step;

  async run(model: Inbox, world: World): Promise<void> {
    const before = filledInboxes(model);
    const step = this.start(model, world);
    // A confirmation waits a little for company; a question beside it spares the wait.
    const [answer] = await Promise.all([step.answer, world.store.lastSeq({ sessionId: world.sessionId })]);
    step.compare(answer);
    await world.hearWords(model, before);
  }
}

/** A refusal as its code, so that it can be compared. */
export function codeOf(error: unknown): string {
  if (error instanceof HubError) return error.code;
  throw error;
}
