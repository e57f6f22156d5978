// What the sender of a question or an alert is told: where it went, truthfully. Pure.
import type { EncryptionLevel } from '../contract/signal.js';
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
  { devices, appUrl }: { devices: number; appUrl: string },
): Described {
  const { level, people } = signal;
  const isSent = reach.devices > 0 || reach.channels > 0;
  const what = signal.kind === 'alert' ? 'Alert' : 'Question';
  const who = people.length === 1 ? (people[0] ?? '') : `${people.length} people`;
  return {
    message: isSent ? `${what} sent to device` : `${what} stored; ${who} can see it in the app at ${appUrl}`,
    encryption: level,
    // Unencrypted, every paired device can read it.
    devices: level === 'none' ? reach.devices : devices,
    ...(duplicate ? { duplicate } : {}),
    ...(isSent ? {} : { warnings: [noDevice(signal)] }),
  };
}

function noDevice({ kind }: SignalRecord): string {
  const list = kind === 'alert' ? '' : ', or on the command line with `coterie questions`';
  return `No device is paired, so no notification is sent: it is seen only by who opens the app${list}. \`coterie pair\` pairs a phone.`;
}
