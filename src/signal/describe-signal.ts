// What the sender of a question or an alert is told: where it went, truthfully. Pure.
import type { EncryptionLevel } from '../contract/signal/signal.js';
import type { SignalReach, SignalRecord } from '../ports/signal.js';

export interface Described {
  message: string;
  encryption: EncryptionLevel;
  devices: number;
  duplicate?: boolean;
  warnings?: string[];
}

export function describeSignal(
  { signal, duplicate, reach }: { signal: SignalRecord; duplicate: boolean; reach: SignalReach },
  { devices, withoutDevice, appUrl }: { devices: number; withoutDevice: readonly string[]; appUrl: string },
): Described {
  const { level, people } = signal;
  const isSent = reach.devices > 0 || reach.channels > 0;
  const what = signal.kind === 'alert' ? 'Alert' : 'Question';
  const warnings = [...(reach.channels > 0 ? [] : [noPush(signal, reach)]), ...withoutDevice.map(cannotRead)];
  const who = people.length === 1 ? (people[0] ?? '') : `${people.length} people`;
  return {
    message: isSent ? `${what} sent to device` : `${what} stored; ${who} can see it in the app at ${appUrl}`,
    encryption: level,
    // Unencrypted, every paired device can read it.
    devices: level === 'none' ? reach.devices : devices,
    ...(duplicate ? { duplicate } : {}),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

function cannotRead(person: string): string {
  return `${person} has no paired device and cannot read it, because it is encrypted for the devices of the others.`;
}

/** Why nothing announces it: a push goes through a channel, and pairing alone makes none. */
function noPush({ kind }: SignalRecord, { devices }: SignalReach): string {
  const seen = kind === 'alert' ? 'when the app is opened' : 'when the app is opened, or with `coterie questions`';
  return devices === 0
    ? `No device is paired, so no notification is sent: it is seen ${seen}. \`coterie pair\` pairs a phone.`
    : `No notification is sent, because none is turned on in the settings of the app: it is seen ${seen}.`;
}
