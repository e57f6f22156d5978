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

const reasonCharsMax = 300;

export async function runAdapter(own: Given['own'], { kind, clientSession, pass }: Adapter): Promise<number> {
  const choice = readCompanionChoice(own);
  const { signal } = endingSignal();
  const wake = async (given: WakeView, attempt: Attempt): Promise<Outcome> => {
    try {
      return { outcome: await pass(wakeText(given), { attempt, signal }) };
    } catch (error) {
      const reason = (error instanceof Error ? error.message : String(error)).slice(0, reasonCharsMax);
      tellOnStderr(reason);
      return { outcome: 'failed', reason };
    }
  };
  const route = { ...readRoute(own), kind, clientSession };
  return exitCodeOf(await attend({ choice, route, signal, pause: switchedOff, wake, tell: tellOnStderr }));
}
