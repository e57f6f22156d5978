// What `keys create`, `keys rotate` and `people add --key` share: the flags of a new key, and how it is printed.
import { z } from 'zod';
import type { WantedKey } from '../../access/decide-key.js';
import { participantId } from '../../contract/ids.js';
import { isoTime } from '../../contract/iso-time.js';
import { keyIdIn, keyText } from '../../contract/key.js';
import { limits } from '../../contract/limits.js';
import { capabilities, type Capability } from '../../contract/operation.js';
import { readSeconds, type Flag } from '../arguments/flag.js';
import { print, printNotice } from '../show/print.js';
import { printable } from '../show/printable.js';
import type { MadeKey } from './key-office.js';

/** A key has the form of an id too. */
export function readAgentId(value: string): string | undefined {
  return keyIdIn(value) === value ? participantId.safeParse(value).data : undefined;
}

const secondsMax = 100 * 365 * 86_400;

/** A bare number is refused: of seconds, hours or days? */
export function readSpan(value: string): number | undefined {
  const seconds = /[smhd]$/.test(value) ? readSeconds(value) : undefined;
  return seconds !== undefined && Number.isInteger(seconds) && seconds <= secondsMax ? seconds : undefined;
}

function readCapabilities(value: string): Capability[] | undefined {
  const parsed = z.array(z.enum(capabilities)).safeParse(value.split(',').map((name) => name.trim().toLowerCase()));
  return parsed.success ? parsed.data : undefined;
}

function readEnd(value: string): Pick<WantedKey, 'ttl' | 'expiresAt'> | undefined {
  const ttl = readSpan(value);
  if (ttl !== undefined) return ttl > 0 ? { ttl } : undefined;
  const time = isoTime('end').safeParse(value);
  return time.success ? { expiresAt: time.data } : undefined;
}

export const newKeyFlags: readonly Flag[] = [
  { name: 'admin', help: 'all capabilities' },
  {
    name: 'label',
    value: 'TEXT',
    help: 'what the key is for; shown in the list',
    allowed: `at most ${limits.nameChars} characters`,
    read: (value) => (value.length <= limits.nameChars && !value.includes('\0') ? value : undefined),
  },
  {
    name: 'expires',
    value: 'WHEN',
    help: 'like 30d, 12h or 2027-01-31',
    allowed: 'a time from now like 30d or 12h, or a date or time in ISO 8601',
    read: readEnd,
  },
];

export const agentFlag: Flag = {
  name: 'agent',
  value: 'NAME',
  help: 'whom the key is for',
  allowed: 'the id of an agent',
  read: readAgentId,
};

export const capabilitiesFlag: Flag = {
  name: 'capabilities',
  value: 'A,B',
  help: `of ${capabilities.join(', ')} (send,read,signal)`,
  allowed: `comma-separated: ${capabilities.join(', ')}`,
  read: readCapabilities,
};

export function wantedKey(own: ReadonlyMap<string, string>): WantedKey {
  const [agentId, given, end] = [own.get('agent'), own.get('capabilities'), own.get('expires')];
  return {
    admin: own.has('admin'),
    observer: own.has('observer'),
    label: own.get('label') ?? '',
    agentId: agentId === undefined ? undefined : participantId.parse(agentId),
    ...(given === undefined ? {} : { capabilities: readCapabilities(given) }),
    ...(end === undefined ? {} : readEnd(end)),
  };
}

/** The key alone on stdout, and last: whoever sees the rest knows its id, should the key be lost. */
export async function printKey(
  { secret, key, endsOpenMode, administeredBy = null, place }: MadeKey,
  notes: readonly string[] = [],
): Promise<void> {
  const lines = [
    `Made ${keyText(key)}.`,
    // The place shows whether it is the store that was meant.
    ...(endsOpenMode
      ? [`Open mode of ${place} ends; agents now need keys. If its hub runs, it asks for them within a second.`]
      : []),
    ...(administeredBy === null
      ? []
      : [`The session was created by session '${administeredBy}', whose administrators can make keys for it too.`]),
    ...notes,
    'The key is not shown again. Its bearer sets COTERIE_KEY to it; coterie connect shows how clients send it.',
  ];
  for (const line of lines) printNotice(printable(line));
  await print(`${secret}\n`);
}
