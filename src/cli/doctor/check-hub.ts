// doctor's checks of the hub: whether it answers, its release, its speed.
import { toHubError } from '../../contract/errors.js';
import { packageVersion } from '../../version.js';
import { releaseAt } from '../hub/release-at.js';
import type { Check } from './check-setup.js';
import { measureHub } from './measure-hub.js';

/** Far above the times of a healthy machine, so that a short load peak is no error. */
const slowMs = { trip: 100, send: 250, wake: 500 };

export async function* checkHub(url: string, fixWhenSilent: string): AsyncGenerator<Check> {
  const version = await releaseAt(url);
  if (version === undefined) {
    yield { name: 'hub', state: 'wrong', says: `no hub answers at ${url}`, fix: fixWhenSilent };
    return;
  }
  if (version === packageVersion) yield { name: 'hub', state: 'ok', says: `${url} answers, release ${version}` };
  else {
    const says = `${url} runs release ${version}, this command is ${packageVersion}`;
    yield { name: 'hub', state: 'wrong', says, fix: 'Restart it with this release: coterie stop, then coterie serve.' };
  }
  yield* checkSpeed(url);
}

async function* checkSpeed(url: string): AsyncGenerator<Check> {
  try {
    const { roundTripMs, sendMs, wakeMs } = await measureHub(url);
    const machine = 'The machine is busy, or the network is slow.';
    yield speed({ name: 'trip', what: 'a round trip takes', took: roundTripMs, fix: machine });
    const disk = 'The disk is slow to sync: put the data folder on a local disk.';
    yield speed({ name: 'send', what: 'a send is on disk in', took: sendMs, fix: disk });
    yield speed({
      name: 'wake',
      what: 'a send wakes a wait in',
      took: wakeMs,
      fix: 'The hub is busy: see coterie top.',
    });
  } catch (error) {
    const { message, hint } = toHubError(error);
    yield { name: 'send', state: 'wrong', says: `a test message failed: ${message}`, fix: hint };
  }
}

function speed({
  name,
  what,
  took,
  fix,
}: {
  name: keyof typeof slowMs;
  what: string;
  took: number;
  fix: string;
}): Check {
  const says = `${what} ${took.toFixed(1)} ms`;
  const most = slowMs[name];
  if (took <= most) return { name, state: 'ok', says };
  return { name, state: 'wrong', says: `${says}, more than ${most} ms`, fix };
}
