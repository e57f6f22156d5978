// A companion that passes wakes to a client that runs, or that its own service runs: Codex, OpenCode.
import type { Given } from '../arguments/read-args.js';
import { attend, type Attempt, type Outcome, type Route } from './attend.js';
import { endingSignal, exitCodeOf, readCompanionChoice, readRoute, tellOnStderr } from './companion-flags.js';
import { switchedOff } from './switch.js';
import { wakeText, type WakeView } from './wake-text.js';

export interface Adapter extends Pick<Route, 'kind'> {
  clientSession: string;
  /** Resolves when the client has taken it, or has ended the turn; throws if it has not. */
  pass: (text: string, context: { attempt: Attempt; signal: AbortSignal }) => Promise<'accepted' | 'finished'>;
}

const detailCharsMax = 300;

/** The message goes to the hub, which shows it to others; the detail, such as the client's own words, stays on this machine. */
export class PassFailure extends Error {
  readonly detail: string;

  constructor(kind: string, detail: string, options?: ErrorOptions) {
    super(kind, options);
    this.detail = detail;
  }
}

export async function runAdapter(own: Given['own'], { kind, clientSession, pass }: Adapter): Promise<number> {
  const choice = readCompanionChoice(own);
  const { signal } = endingSignal();
  const wake = async (given: WakeView, attempt: Attempt): Promise<Outcome> => {
    try {
      return { outcome: await pass(wakeText(given), { attempt, signal }) };
    } catch (error) {
      const { message: reason, detail } =
        error instanceof PassFailure ? error : new PassFailure('the client did not take the wake', String(error));
      tellOnStderr(detail === '' ? reason : `${reason}: ${detail.slice(0, detailCharsMax)}`);
      return { outcome: 'failed', reason };
    }
  };
  const route = { ...readRoute(own), kind, clientSession };
  return exitCodeOf(await attend({ choice, route, signal, pause: switchedOff, wake, tell: tellOnStderr }));
}
