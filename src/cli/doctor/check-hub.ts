// doctor's checks of the hub: whether it answers, its release, the caller's key, its speed.
import { toHubError } from '../../contract/errors.js';
import { packageVersion } from '../../version.js';
import type { KeyChoice } from '../arguments/key-choice.js';
import { hubAt, needsKey, whyNoHub, type HubFound } from '../hub/hub-at.js';
import type { Check } from './check-setup.js';
import { measureHub, measureTrip } from './measure-hub.js';

/** Far above the times of a healthy machine, so that a short load peak is no error. */
const slowMs = { trip: 100, send: 250, wake: 500 };
const readyMs = 3_000;
const machineIsBusy = 'The machine is busy, or the network is slow.';

export async function* checkHub(url: string, fixWhenSilent: string, key: KeyChoice | undefined): AsyncGenerator<Check> {
  const found = await hubAt(url, { key });
  if (found === undefined) {
    const { message, hint, details } = await whyNoHub(url);
    yield 'fault' in details
      ? { name: 'hub', state: 'wrong', says: message, fix: hint }
      : { name: 'hub', state: 'wrong', says: `no hub answers at ${url}`, fix: fixWhenSilent };
    return;
  }
  const hasKeys = await needsKey(url);
  yield checkRelease(url, found);
  yield* checkReady(url);
  if (hasKeys) yield checkKey(found, key);
  yield* hasKeys ? checkTrip(url) : checkSpeed(url);
}

function checkRelease(url: string, { release }: HubFound): Check {
  if (release === null) return { name: 'hub', state: 'ok', says: `${url} answers` };
  if (release === packageVersion) return { name: 'hub', state: 'ok', says: `${url} answers, release ${release}` };
  const says = `${url} runs release ${release}, this command is ${packageVersion}`;
  return { name: 'hub', state: 'wrong', says, fix: 'Restart it with this release: coterie stop, then coterie serve.' };
}

/** Says nothing of a hub that is ready. */
async function* checkReady(url: string): AsyncGenerator<Check> {
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(readyMs) }).catch(() => undefined);
  const body: unknown = await answer?.json().catch(() => undefined);
  if (typeof body !== 'object' || body === null) return;
  if ('code' in body && typeof body.code === 'string') yield checkStore(body.code);
  if (!('signal' in body)) return;
  const says = 'the hub has another secret than its database: questions and alerts are refused';
  const fix = 'Copy the file hub-secret of the first hub to this one, or set COTERIE_HUB_SECRET, and restart it.';
  yield { name: 'secret', state: 'wrong', says, fix };
}

function checkStore(code: string): Check {
  const says = `the hub refuses messages: ${code}`;
  const fix =
    code === 'STORE_FULL'
      ? 'Free disk space or raise --store-max-mb; it then accepts them by itself. Reading goes on.'
      : "See the hub's log and the disk. Stop the hub, then run this again: it examines the database of a stopped hub.";
  return { name: 'store', state: 'wrong', says, fix };
}

function checkKey({ refusal }: HubFound, key: KeyChoice | undefined): Check {
  if (refusal === null) return { name: 'key', state: 'ok', says: `the hub accepts the key in ${key?.source}` };
  const says = key === undefined ? 'the hub needs a key, and you have set none' : `${key.source}: ${refusal.message}`;
  const make = 'On the hub’s machine: coterie keys create --agent NAME';
  const fix = key === undefined ? `Set COTERIE_KEY, or give --key-file FILE. ${make}` : `Use another key. ${make}`;
  return { name: 'key', state: 'wrong', says, fix };
}

/** With keys there is no session of doctor's own in which to send. */
async function* checkTrip(url: string): AsyncGenerator<Check> {
  yield speed({ name: 'trip', what: 'a round trip takes', took: await measureTrip(url), fix: machineIsBusy });
}

async function* checkSpeed(url: string): AsyncGenerator<Check> {
  try {
    const { roundTripMs, sendMs, wakeMs } = await measureHub(url);
    yield speed({ name: 'trip', what: 'a round trip takes', took: roundTripMs, fix: machineIsBusy });
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
