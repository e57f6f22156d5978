// Devices in the store itself, for whoever may write the data folder or the database, as with keys.
import { setTimeout as sleep } from 'node:timers/promises';
import { HubError } from '../../contract/errors.js';
import { defaultSessionId } from '../../contract/ids.js';
import type { AuditEntry } from '../../ports/audit.js';
import type { KeyStore } from '../../ports/keys.js';
import { pairingMs } from '../../signal/pair/decide-pairing.js';
import { newPairingNames, viewPairing } from '../../signal/pair/start-pairing.js';
import { viewDevice } from '../../signal/pair/view-device.js';
import { usage } from '../arguments/usage.js';
import type { DeviceOffice } from './device-office.js';
import type { HubFacts } from './hub-facts.js';

const lookEveryMs = 500;

export function localDevices(
  store: KeyStore,
  { session = defaultSessionId, hub }: { session: string | undefined; hub: HubFacts | undefined },
): DeviceOffice {
  return {
    hub,
    session,
    /** A code would need the hub's secret: only the hub makes one. */
    async start(chosen, claimHash) {
      const person = chosen ?? (await onlyPerson(store, session));
      const at = Date.now();
      const expiresAt = at + pairingMs;
      const { id } = newPairingNames();
      const plan = { sessionId: session, personId: person, claimHash, codeHash: null, at, createdBy: 'cli', expiresAt };
      await store.startPairing({ ...plan, id });
      return { pairingId: id, person, code: null, expiresAt: new Date(expiresAt).toISOString() };
    },
    async pairing({ pairingId }) {
      await sleep(lookEveryMs);
      const found = await store.findPairing({ id: pairingId });
      if (found === null) throw new HubError('PAIRING_INVALID', 'The pairing is gone.', { hint: 'Start another one.' });
      return viewPairing(found, Date.now());
    },
    async list(person) {
      const devices = await store.listDevices({ sessionId: session, people: person === undefined ? null : [person] });
      return devices.map((device) => viewDevice(device));
    },
    async change({ id }, change) {
      const at = Date.now();
      const act = `${change.kind}_device`;
      const audit: AuditEntry = {
        sessionId: session,
        at,
        actor: 'cli',
        keyId: null,
        address: '',
        act,
        target: id,
        details: {},
      };
      const isAudited = change.kind !== 'rename';
      const plan = { sessionId: session, id, personId: null, change, at, audit: isAudited ? audit : null };
      return viewDevice(await store.changeDevice(plan));
    },
    async hubKeys() {
      const keys = hub?.hub ?? (await store.findHubIdentity());
      if (keys === null)
        throw new HubError('DEVICE_UNKNOWN', 'No device was paired here yet.', { hint: 'coterie pair' });
      return keys;
    },
    close: () => store.close(),
  };
}

async function onlyPerson(store: KeyStore, sessionId: string): Promise<string> {
  const agents = await store.listAgents({ sessionId, group: null, now: Date.now() });
  const people = agents.filter(({ kind }) => kind === 'human').map(({ id }) => id);
  const [person, ...others] = people;
  if (person !== undefined && others.length === 0) return person;
  throw person === undefined
    ? usage('There are no people to pair a device with.', 'Register one: coterie people add NAME')
    : usage('Whose device is it?', `Name the person: coterie pair --person ${person}`);
}
