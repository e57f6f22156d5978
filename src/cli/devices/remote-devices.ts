// Devices at a hub: the operations of a person, or of an administrator.
import { operations } from '../../contract/operations/index.js';
import { defaultSessionId } from '../../contract/ids.js';
import type { HubChoice } from '../arguments/hub-flags.js';
import { connect } from '../hub/connect.js';
import { noHubRuns, type DeviceOffice } from './device-office.js';
import type { HubFacts } from './hub-facts.js';

/** Less than proxies allow. */
const waitMs = 20_000;

export function remoteDevices(choice: HubChoice, hub: HubFacts | undefined): DeviceOffice {
  /** In open mode the person is named; else the key says who calls. */
  const as = (person: string | undefined) => {
    const { agent: _, ...unnamed } = choice;
    return connect(hub?.mode === 'open' && person !== undefined ? { ...unnamed, agent: person } : unnamed);
  };
  return {
    hub,
    session: choice.session ?? defaultSessionId,
    async start(chosen, claimHash) {
      if (hub === undefined) throw noHubRuns();
      const person = chosen ?? (hub.mode === 'open' ? (choice.agent ?? hub.localPerson) : undefined);
      const named = person === undefined ? {} : { person };
      return as(person).call(operations.startPairing, { ...named, claimHash });
    },
    async pairing({ pairingId, person }) {
      return as(person).call(operations.getPairing, { pairingId, waitMs });
    },
    async list(person) {
      const { devices } = await as(undefined).call(operations.listDevices, person === undefined ? {} : { person });
      return devices;
    },
    async change({ id: deviceId, person }, change) {
      if (change.kind === 'verify') return (await as(person).call(operations.verifyDevice, { deviceId })).device;
      if (change.kind === 'revoke') return (await as(person).call(operations.revokeDevice, { deviceId })).device;
      return (await as(person).call(operations.renameDevice, { deviceId, name: change.name })).device;
    },
    async hubKeys() {
      if (hub === undefined) throw noHubRuns();
      return hub.hub;
    },
    close: () => Promise.resolve(),
  };
}
