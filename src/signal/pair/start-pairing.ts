// start_pairing and get_pairing.
import { createHash, randomInt } from 'node:crypto';
import { codeAlphabet, codeLocatorChars, showPairingCode } from '../../contract/signal/device.js';
import { HubError } from '../../contract/errors.js';
import type { getPairing as getContract } from '../../contract/operations/get-pairing.js';
import type { startPairing as startContract } from '../../contract/operations/start-pairing.js';
import type { InputOf, OutputOf } from '../../contract/operation.js';
import type { Caller, NamedCaller } from '../../ports/caller.js';
import type { Clock } from '../../ports/clock.js';
import type { HubSecret } from '../../ports/hub-secret.js';
import type { PairingRecord, Store } from '../../ports/store.js';
import { pairingInvalid, pairingMs } from './decide-pairing.js';
import { viewDevice } from './view-device.js';

export interface PairingPorts {
  store: Pick<Store, 'startPairing' | 'findPairing'>;
  clock: Clock;
  hubSecret: Pick<HubSecret, 'identity' | 'mac' | 'requireOurs'>;
  /** Null if the operator named none. */
  publicUrl: string | null;
  stopping: { readonly isStopping: boolean; onStop(callback: () => void): () => void };
  /** A place among the parked waits; the returned function frees it. */
  reserveWait: (caller: Caller) => () => void;
}

export async function startPairing(
  { store, clock, hubSecret, publicUrl }: PairingPorts,
  caller: NamedCaller,
  { person = caller.agentId, claimHash }: InputOf<typeof startContract>,
): Promise<OutputOf<typeof startContract>> {
  if (person !== caller.agentId) throw onlyForOneself(person);
  await hubSecret.requireOurs();
  const { id, code } = newPairingNames();
  const at = clock.now();
  const expiresAt = at + pairingMs;
  await store.startPairing({
    id,
    sessionId: caller.sessionId,
    personId: person,
    claimHash: claimHash ?? null,
    codeHash: hubSecret.mac('code', code),
    at,
    createdBy: person,
    expiresAt,
  });
  return {
    success: true,
    pairingId: id,
    person,
    code: showPairingCode(code),
    expiresAt: new Date(expiresAt).toISOString(),
    hubKid: hubSecret.identity.kid,
    url: publicUrl,
  };
}

/** The id begins as the code does: a wrong code is counted against the pairing it was meant for. */
export function newPairingNames(): { id: string; code: string } {
  const code = letters(8);
  return { code, id: `${pairingIdPrefix(code)}${letters(16 - codeLocatorChars).toLowerCase()}` };
}

export function pairingIdPrefix(code: string): string {
  return `p-${code.slice(0, codeLocatorChars).toLowerCase()}`;
}

function letters(count: number): string {
  return Array.from({ length: count }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join('');
}

/** A claim has the entropy of the link's secret, so its plain hash tells nothing. */
export function hashOfClaim(claim: string): string {
  return createHash('sha256').update(claim).digest('base64url');
}

function onlyForOneself(person: string): HubError {
  return new HubError('FORBIDDEN', `Only '${person}' pairs a device of '${person}'.`, {
    hint: `Use a key of '${person}', or, on the hub's machine: coterie pair --person ${person}`,
  });
}

/** A person is at the device: half a second is soon enough. */
const lookEveryMs = 500;

interface WaitContext {
  client: { readonly isGone: boolean; onGone(callback: () => void): () => void };
  waitMsMax?: number | undefined;
}

export async function getPairing(
  ports: PairingPorts,
  caller: NamedCaller,
  { input, context }: { input: InputOf<typeof getContract>; context: WaitContext },
): Promise<OutputOf<typeof getContract>> {
  const deadline = ports.clock.monotonic() + Math.min(input.waitMs, context.waitMsMax ?? input.waitMs);
  const freePlace = ports.reserveWait(caller);
  try {
    for (;;) {
      const pairing = await ports.store.findPairing({ id: input.pairingId });
      const isForeign = pairing?.sessionId !== caller.sessionId || pairing.personId !== caller.agentId;
      if (pairing === null || isForeign) throw pairingInvalid();
      const leftMs = deadline - ports.clock.monotonic();
      const isOver = leftMs <= 0 || context.client.isGone || ports.stopping.isStopping;
      const view = viewPairing(pairing, ports.clock.now(), caller);
      if (view.state !== 'open' || isOver) return view;
      await pause(ports, context, Math.min(lookEveryMs, leftMs));
    }
  } finally {
    freePlace();
  }
}

async function pause({ clock, stopping }: PairingPorts, { client }: WaitContext, ms: number): Promise<void> {
  const undo: (() => void)[] = [];
  await new Promise<void>((resolve) => {
    undo.push(clock.after(ms, resolve), client.onGone(resolve), stopping.onStop(resolve));
  });
  for (const stop of undo) stop();
}

export function viewPairing(pairing: PairingRecord, now: number, caller?: Caller): OutputOf<typeof getContract> {
  const { id, triesLeft, expiresAt, usedAt, device } = pairing;
  const isEnded = triesLeft <= 0 || expiresAt <= now;
  return {
    pairingId: id,
    state: usedAt !== null ? 'paired' : isEnded ? 'ended' : 'open',
    triesLeft,
    expiresAt: new Date(expiresAt).toISOString(),
    ...(device === null ? {} : { device: { ...viewDevice(device, caller), mac: device.mac } }),
  };
}
