// coterie pair: makes the secret of a pairing, shows it as QR code, waits for the device and verifies it.
import { randomBytes } from 'node:crypto';
import { pairingLink } from '../../contract/signal/device.js';
import { HubError } from '../../contract/errors.js';
import { isLoopback } from '../../http/guard.js';
import { pairingClaim } from '../../signal/envelope/index.js';
import { hashOfClaim } from '../../signal/pair/start-pairing.js';
import type { Flag } from '../arguments/flag.js';
import { jsonFlag } from '../arguments/hub-flags.js';
import { readArgs } from '../arguments/read-args.js';
import type { Command, Description } from '../command.js';
import { agentFlag } from '../keys/make-key.js';
import { paint } from '../show/paint.js';
import { printJsonLine, printLines, printNotice } from '../show/print.js';
import { oneLine } from '../show/printable.js';
import {
  deviceOfficeFlags,
  inDeviceOffice,
  noHubRuns,
  type DeviceOffice,
  type PairingView,
  type StartedPairing,
} from './device-office.js';
import { pin, requireSecretOf } from './pin.js';
import { qrLines } from './show-qr.js';

const flags: readonly Flag[] = [
  { ...agentFlag, name: 'person', help: 'whose device it is (you, or the only person)' },
  ...deviceOfficeFlags,
  jsonFlag,
];

const description: Description = {
  usage: '[--person NAME] [options]',
  about: [
    'Pairs a phone or a browser with a person: shows a QR code, a link and a short',
    'code, waits up to 5 minutes for the device, and verifies its keys. Needs the',
    'key of the person, or the data folder or database of the hub.',
  ],
  flags,
  examples: [
    { line: 'coterie pair', does: 'scan it with the phone' },
    { line: 'coterie pair --person ann', does: 'a device of ann, on the hub’s machine' },
  ],
};

export const pair: Command = {
  describe: () => description,
  async run(argv) {
    const { own } = readArgs(argv, { command: 'pair', flags });
    await inDeviceOffice(own, (office) => pairIn(office, { person: own.get('person'), isJson: own.has('json') }));
    return 0;
  },
};

interface NewLink {
  readonly started: StartedPairing;
  readonly secret: string;
  readonly link: string;
}

/** The secret stays with this process: the hub never has it. */
export async function startLink(office: DeviceOffice, person: string | undefined): Promise<NewLink> {
  const { hub } = office;
  if (hub === undefined) throw noHubRuns();
  const secret = randomBytes(16).toString('base64url');
  const started = await office.start(person, hashOfClaim(await pairingClaim(secret)));
  const { pairingId } = started;
  return { started, secret, link: pairingLink(hub.url, { pairingId, secret, hubKid: hub.hub.kid }) };
}

async function pairIn(
  office: DeviceOffice,
  { person, isJson }: { person: string | undefined; isJson: boolean },
): Promise<void> {
  const { started, secret, link } = await startLink(office, person);
  const { person: whose, code, expiresAt } = started;
  if (isJson) await printJsonLine({ person: whose, link, code, expiresAt });
  else await printLines(invitation(started, link));
  for (const warning of warningsOf(link)) printNotice(warning);
  const { device } = await paired(office, started);
  if (device.mac === null) {
    if (isJson) await printJsonLine({ device });
    else await printLines([`Paired '${oneLine(device.name)}' (${device.id}) by the code. It is not verified yet:`]);
    printNotice(`Compare its safety number: coterie devices verify ${device.id}`);
    return;
  }
  await requireSecretOf(device, secret);
  const verified = await office.change(device, { kind: 'verify' });
  // What was checked, not what the hub answers now.
  pin(device, { hubKid: (await office.hubKeys()).kid, session: office.session });
  if (isJson) await printJsonLine({ device: verified });
  else await printLines([paint('green', `Paired and verified '${oneLine(device.name)}' (${device.id}) of ${whose}.`)]);
}

function invitation({ person, code }: StartedPairing, link: string): string[] {
  const hasColour = paint('bold', 'x') !== 'x';
  return [
    ...qrLines(link, hasColour),
    `A device of ${person}: scan the code with its camera, or open this link on it, once, within`,
    `5 minutes. Who has the link can pair: show it to nobody else.`,
    link,
    ...(code === null ? [] : [`Or type ${paint('bold', code)} in the app; then the device needs verifying.`]),
    'iPhone, iPad: first open the hub in Safari, Share, Add to Home Screen; then open the',
    `app from there, and paste the link${code === null ? '' : ' or type the code'} in it.`,
    paint('dim', 'Waiting for the device … Ctrl-C ends the wait.'),
  ];
}

export function warningsOf(link: string): string[] {
  const { protocol, hostname } = new URL(link);
  if (isLoopback(hostname))
    return ['This address works on this machine only. For a phone the hub needs an https address: docs/phone.md'];
  if (protocol === 'https:') return [];
  return [
    'The hub’s address is not https: browsers refuse to pair and to receive pushes there.',
    'docs/phone.md shows ways to https; an ntfy topic works without (coterie help channels).',
  ];
}

type Paired = PairingView & { device: NonNullable<PairingView['device']> };

async function paired(office: DeviceOffice, started: StartedPairing): Promise<Paired> {
  for (;;) {
    const view = await office.pairing(started);
    if (view.device !== undefined) return { ...view, device: view.device };
    if (view.state === 'ended') throw notPaired(view);
  }
}

function notPaired({ triesLeft }: PairingView): HubError {
  const why = triesLeft <= 0 ? 'was tried with wrong codes too often' : 'was not used within 5 minutes';
  return new HubError('PAIRING_INVALID', `The pairing ${why}.`, { hint: 'Start another one: coterie pair' });
}
