// The verbs of coterie devices.
import { createInterface } from 'node:readline/promises';
import { deviceName, deviceRef, type DeviceView } from '../../contract/signal/device.js';
import { HubError } from '../../contract/errors.js';
import { unpinDevice } from '../../files/pins.js';
import { safetyNumber } from '../../signal/envelope/index.js';
import { deviceUnknown } from '../../signal/pair/decide-pairing.js';
import type { Flag } from '../arguments/flag.js';
import { jsonFlag } from '../arguments/hub-flags.js';
import { badValue, readArgs } from '../arguments/read-args.js';
import { usage } from '../arguments/usage.js';
import type { Command, Description } from '../command.js';
import { agentFlag } from '../keys/make-key.js';
import { tableLines, type Column } from '../show/print-table.js';
import { printJson, printLines, printNotice } from '../show/print.js';
import { oneLine } from '../show/printable.js';
import { ago, shortTime } from '../show/short-time.js';
import { deviceOfficeFlags, inDeviceOffice, type DeviceOffice } from './device-office.js';
import { pin, pinsFile } from './pin.js';

const listFlags: readonly Flag[] = [
  { ...agentFlag, name: 'person', help: 'of this person only' },
  ...deviceOfficeFlags,
  jsonFlag,
];

export const listDescription: Description = {
  usage: 'list [options]',
  about: ['Lists the paired devices of the session; with a person’s key, that person’s.'],
  flags: listFlags,
  examples: [{ line: 'coterie devices list --person ann', does: 'of one person' }],
};

export const listDevices: Command = {
  describe: () => listDescription,
  async run(argv) {
    const { own } = readArgs(argv, { command: 'devices list', flags: listFlags });
    const devices = await inDeviceOffice(own, (office) => office.list(own.get('person')));
    await (own.has('json') ? printJson({ devices }) : printLines(linesOf(devices)));
    return 0;
  },
};

const columns: readonly Column[] = [
  { title: 'ID' },
  { title: 'PERSON', mayShrink: true },
  { title: 'NAME', mayShrink: true },
  { title: 'VERIFIED', style: (cell) => (cell === 'yes' ? 'green' : 'yellow') },
  { title: 'PAIRED' },
  { title: 'SEEN' },
];

function linesOf(devices: readonly DeviceView[]): string[] {
  if (devices.length === 0) return ['No devices. Pair one with: coterie pair'];
  return tableLines(
    columns,
    devices.map(({ id, person, name, verified, pairedAt, lastSeenAt }) =>
      [
        id,
        person,
        name,
        verified ? 'yes' : 'no',
        shortTime(pairedAt),
        lastSeenAt === null ? 'never' : `${ago(lastSeenAt)} ago`,
      ].map(oneLine),
    ),
  );
}

const changeFlags: readonly Flag[] = [...deviceOfficeFlags, jsonFlag];

export const revokeDevice: Command = {
  describe: () => ({
    usage: 'revoke ID [options]',
    about: ['Ends a device for good: its sign-in, its open streams and its pushes.'],
    flags: changeFlags,
    examples: [{ line: 'coterie devices revoke d-k7m2p9x4q6ab', does: 'see ids with: coterie devices list' }],
  }),
  async run(argv) {
    const { own, positionals } = readArgs(argv, { command: 'devices revoke', flags: changeFlags, positionals: ['id'] });
    const id = deviceIdOf('revoke', positionals[0]);
    const device = await inDeviceOffice(own, async (office) => {
      const revoked = await office.change(await found(office, id), { kind: 'revoke' });
      unpinDevice(pinsFile(), (await office.hubKeys()).kid, revoked.kid);
      return revoked;
    });
    await (own.has('json') ? printJson({ device }) : printLines([`Revoked ${named(device)}.`]));
    return 0;
  },
};

export const renameDevice: Command = {
  describe: () => ({
    usage: 'rename ID NAME [options]',
    about: ['Gives a device another name.'],
    flags: changeFlags,
    examples: [{ line: 'coterie devices rename d-k7m2p9x4q6ab "Ann’s phone"', does: 'answers say "on Ann’s phone"' }],
  }),
  async run(argv) {
    const positional = ['id', 'name'];
    const { own, positionals } = readArgs(argv, {
      command: 'devices rename',
      flags: changeFlags,
      positionals: positional,
    });
    const id = deviceIdOf('rename', positionals[0]);
    const name = deviceName.safeParse(positionals[1] ?? '');
    if (!name.success) throw badValue('NAME', positionals[1] ?? '', 'a text of at most 100 characters');
    const change = { kind: 'rename', name: name.data } as const;
    const device = await inDeviceOffice(own, async (office) => office.change(await found(office, id), change));
    await (own.has('json') ? printJson({ device }) : printLines([`Renamed ${named(device)}.`]));
    return 0;
  },
};

const verifyFlags: readonly Flag[] = [
  { name: 'yes', help: 'the numbers were compared and are the same' },
  ...changeFlags,
];

export const verifyDevice: Command = {
  describe: () => ({
    usage: 'verify ID [options]',
    about: [
      'Shows the safety number of hub and device. If the device shows the same one',
      '(Settings, Devices), its keys are its own: say yes, and it may decide permission',
      'prompts too. Pins the keys for programs of this user.',
    ],
    flags: verifyFlags,
    examples: [{ line: 'coterie devices verify d-k7m2p9x4q6ab', does: 'asks whether the numbers are the same' }],
  }),
  async run(argv) {
    const { own, positionals } = readArgs(argv, { command: 'devices verify', flags: verifyFlags, positionals: ['id'] });
    const id = deviceIdOf('verify', positionals[0]);
    const device = await inDeviceOffice(own, async (office) => {
      const before = await found(office, id);
      const hubKeys = await office.hubKeys();
      await requireSame(before, await safetyNumber(hubKeys, before), own.has('yes'));
      const verified = await office.change(before, { kind: 'verify' });
      // What was compared, not what the hub answers now.
      pin(before, { hubKid: hubKeys.kid, session: office.session });
      return verified;
    });
    await (own.has('json') ? printJson({ device }) : printLines([`Verified ${named(device)}.`]));
    return 0;
  },
};

async function requireSame(device: DeviceView, number: string, isSaid: boolean): Promise<void> {
  printNotice(`Safety number of ${named(device)}:`);
  printNotice(`  ${number}`);
  if (isSaid) return;
  if (!process.stdin.isTTY) throw usage('Nobody is here to compare the numbers.', 'When they are the same, add --yes.');
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const said = await reader.question('Does the device show the same number? [y/N] ').finally(() => reader.close());
  if (/^y(es)?$/i.test(said.trim())) return;
  throw new HubError('DEVICE_UNVERIFIED', 'The device stays unverified.', {
    hint: `If the numbers differ, do not trust it: coterie devices revoke ${device.id}`,
  });
}

async function found(office: DeviceOffice, id: string): Promise<DeviceView> {
  const device = (await office.list()).find((listed) => listed.id === id);
  if (device === undefined) throw deviceUnknown(id);
  return device;
}

function named({ id, person, name }: DeviceView): string {
  return `'${oneLine(name)}' (${id}) of ${oneLine(person)}`;
}

function deviceIdOf(verb: string, given: string | undefined): string {
  const seeIds = 'See ids with: coterie devices list';
  if (given === undefined) throw usage(`devices ${verb} needs the id of a device.`, seeIds);
  const id = deviceRef.safeParse(given);
  if (id.success) return id.data;
  throw usage('That is not the id of a device, such as d-k7m2p9x4q6ab.', seeIds);
}
