// coterie observe: a link that lets one browser look at a session for a while.
import { keyText } from '../../contract/key.js';
import { limits } from '../../contract/limits.js';
import { observerLink } from '../../contract/signal/observer-link.js';
import type { Flag } from '../arguments/flag.js';
import { jsonFlag, readHubChoice } from '../arguments/hub-flags.js';
import { readArgs } from '../arguments/read-args.js';
import type { Command, Description } from '../command.js';
import { hubOf, noHubRuns } from '../devices/device-office.js';
import { warningsOf } from '../devices/pair.js';
import { printJson, printLines, printNotice } from '../show/print.js';
import { printable } from '../show/printable.js';
import { inOffice, officeFlags } from './key-office.js';
import { readSpan } from './make-key.js';

const forDefault = '24h';
const [secondsMin, secondsMax] = [60, 365 * 86_400];

const flags: readonly Flag[] = [
  {
    name: 'for',
    value: 'TIME',
    help: `how long one may look (${forDefault})`,
    allowed: 'a time like 24h, 30m or 7d, at least 1m and at most 365d',
    read: readFor,
  },
  {
    name: 'label',
    value: 'TEXT',
    help: 'whom it is for; coterie keys list shows it',
    allowed: `at most ${limits.nameChars} characters`,
    read: (value) => (value.length <= limits.nameChars && !value.includes('\0') ? value : undefined),
  },
  ...officeFlags,
  jsonFlag,
];

function readFor(value: string): number | undefined {
  const seconds = readSpan(value);
  return seconds !== undefined && seconds >= secondsMin && seconds <= secondsMax ? seconds : undefined;
}

const description: Description = {
  usage: '[--session NAME] [--for TIME] [options]',
  about: [
    'Prints a link to the console for someone who shall only look: at the threads of',
    'a session that are not private. It works once, in one browser, within a day.',
    'It is listed with the keys, and revoked like one. Needs a running hub with keys.',
  ],
  flags,
  examples: [
    { line: 'coterie observe', does: 'look at session default, for a day' },
    { line: 'coterie observe --session shop --for 2h --label Sam', does: 'another session, two hours' },
    { line: 'coterie keys revoke k7m2p9x4q6ab', does: 'end it: ids with coterie keys list' },
  ],
};

export const observe: Command = {
  describe: () => description,
  async run(argv) {
    const { own } = readArgs(argv, { command: 'observe', flags });
    const ttl = readFor(own.get('for') ?? forDefault) ?? secondsMin;
    const label = own.get('label') ?? 'observer’s link';
    const isLocal = own.has('data') || own.has('database');
    const hub = await hubOf(readHubChoice(own, isLocal ? { ...process.env, COTERIE_URL: '' } : process.env));
    if (hub === undefined) throw noHubRuns('a link leads to one that does');
    const { fragment, key, opensUntil } = await inOffice(own, (office) => office.createLink({ label, ttl }));
    const link = observerLink(hub.url, fragment);
    if (own.has('json')) {
      await printJson({ link, opensUntil, key });
      return 0;
    }
    printNotice(printable(`Made ${keyText(key)}.`));
    printNotice(`The link works once, until ${opensUntil}. Whoever opens it first may look until ${key.expiresAt}.`);
    printNotice(`End it with: coterie keys revoke ${key.id}`);
    for (const warning of warningsOf(link)) printNotice(warning);
    await printLines([link]);
    return 0;
  },
};
