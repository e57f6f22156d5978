// The verbs of coterie channels.
import { readFileSync } from 'node:fs';
import type { ChannelView } from '../../contract/signal/channel.js';
import { operations } from '../../contract/operations/index.js';
import type { Flag } from '../arguments/flag.js';
import { hubFlags, readHubChoice } from '../arguments/hub-flags.js';
import { readArgs } from '../arguments/read-args.js';
import { usage } from '../arguments/usage.js';
import type { Command, Description } from '../command.js';
import { connect } from '../hub/connect.js';
import { exitCodes } from '../show/exit-code.js';
import { tableLines, type Column } from '../show/print-table.js';
import { printJson, printLines, printNotice } from '../show/print.js';
import { oneLine } from '../show/printable.js';
import { ago } from '../show/short-time.js';
import { asPerson } from '../signal/as-person.js';

export const listDescription: Description = {
  usage: 'list [options]',
  about: ['Lists your channels. With an administrator’s key, those of the session.'],
  flags: hubFlags,
  examples: [{ line: 'coterie channels list --json', does: 'for a program' }],
};

export const listChannels: Command = {
  describe: () => listDescription,
  async run(argv) {
    const { own } = readArgs(argv, { command: 'channels list', flags: hubFlags });
    const result = await connect(await asPerson(readHubChoice(own))).call(operations.listChannels, {});
    await (own.has('json') ? printJson(result) : printLines(linesOf(result.channels)));
    return exitCodes.done;
  },
};

const columns: readonly Column[] = [
  { title: 'ID' },
  { title: 'PERSON', mayShrink: true },
  { title: 'KIND' },
  { title: 'TO', mayShrink: true },
  { title: 'WORKED' },
];

function linesOf(channels: readonly ChannelView[]): string[] {
  if (channels.length === 0)
    return ['No channels. Turn notifications on in the app, or: coterie channels add ntfy TOPIC'];
  const rows = channels.map(({ id, person, kind, label, lastOkAt }) =>
    [id, person, kind, label, lastOkAt === undefined ? 'never' : `${ago(lastOkAt)} ago`].map(oneLine),
  );
  const faults = channels.flatMap(({ id, fault }) => (fault === undefined ? [] : [`${id}: ${oneLine(fault)}`]));
  return [...tableLines(columns, rows), ...faults];
}

const serverFlag: Flag = { name: 'server', value: 'URL', help: 'ntfy: your own server (https://ntfy.sh)' };
const tokenFlag: Flag = { name: 'token-file', value: 'FILE', help: 'ntfy: file with an access token' };
const secretFlag: Flag = {
  name: 'secret-file',
  value: 'FILE',
  help: 'webhook: file with the secret that signs; else made',
};
const addFlags: readonly Flag[] = [serverFlag, tokenFlag, secretFlag, ...hubFlags];

export const addChannel: Command = {
  describe: () => ({
    usage: 'add (ntfy TOPIC | webhook URL) [options]',
    about: [
      'Adds a channel, or replaces the one with the same target. Who knows the topic',
      'of ntfy can read it: choose one that nobody guesses.',
    ],
    flags: addFlags,
    examples: [
      { line: 'coterie channels add ntfy kim-7f3c9a41e0', does: 'at ntfy.sh' },
      { line: 'coterie channels add webhook https://example.com/hook', does: 'prints the secret that signs' },
    ],
  }),
  async run(argv) {
    const { own, positionals } = readArgs(argv, {
      command: 'channels add',
      flags: addFlags,
      positionals: ['kind', 'target'],
    });
    const [kind, target] = positionals;
    if ((kind !== 'ntfy' && kind !== 'webhook') || target === undefined) {
      throw usage('channels add needs a kind and a target.', 'Write: ntfy TOPIC, or: webhook URL');
    }
    const server = own.get('server');
    const given = {
      kind,
      ...(kind === 'ntfy' ? { topic: target } : { url: target }),
      ...(server === undefined ? {} : { server }),
      ...fromFile('token', own.get('token-file')),
      ...fromFile('secret', own.get('secret-file')),
    };
    const result = await connect(await asPerson(readHubChoice(own))).call(operations.setChannel, given);
    if (own.has('json')) await printJson(result);
    else {
      const { id, label } = result.channel;
      await printLines([
        `Added ${id}, ${kind} to ${oneLine(label)}.`,
        ...(result.secret === undefined ? [] : [result.secret]),
      ]);
      if (result.secret !== undefined)
        printNotice('This is the secret that signs the requests. It is not shown again.');
      printNotice(`Try it: coterie channels test ${id}`);
    }
    return exitCodes.done;
  },
};

/** From a file: other users see the arguments of a process. */
function fromFile(field: string, path: string | undefined): Record<string, string> {
  if (path === undefined) return {};
  try {
    return { [field]: readFileSync(path, 'utf8').trim() };
  } catch {
    throw usage(`Cannot read '${path}'.`, `Give --${field}-file a file that has the ${field} alone.`);
  }
}

export const removeChannel: Command = {
  describe: () => ({
    usage: 'remove ID [options]',
    about: ['Removes a channel, with the pushes that wait for it.'],
    flags: hubFlags,
    examples: [{ line: 'coterie channels remove c7m2p9x4q6ab', does: 'see ids with: coterie channels list' }],
  }),
  async run(argv) {
    const { own, positionals } = readArgs(argv, { command: 'channels remove', flags: hubFlags, positionals: ['id'] });
    const channelId = idOf('remove', positionals[0]);
    const result = await connect(await asPerson(readHubChoice(own))).call(operations.removeChannel, { channelId });
    await (own.has('json') ? printJson(result) : printLines([`Removed ${oneLine(result.channelId)}.`]));
    return exitCodes.done;
  },
};

export const testChannel: Command = {
  describe: () => ({
    usage: 'test ID [options]',
    about: [
      'Sends a test through a channel now, and says what the service answered.',
      `Exit code ${exitCodes.unhealthy} when it failed.`,
    ],
    flags: hubFlags,
    examples: [{ line: 'coterie channels test c7m2p9x4q6ab', does: 'see ids with: coterie channels list' }],
  }),
  async run(argv) {
    const { own, positionals } = readArgs(argv, { command: 'channels test', flags: hubFlags, positionals: ['id'] });
    const channelId = idOf('test', positionals[0]);
    const result = await connect(await asPerson(readHubChoice(own))).call(operations.testChannel, { channelId });
    await (own.has('json')
      ? printJson(result)
      : printLines([oneLine(operations.testChannel.text(result, { channelId }))]));
    return result.success ? exitCodes.done : exitCodes.unhealthy;
  },
};

function idOf(verb: string, given: string | undefined): string {
  if (given === undefined)
    throw usage(`channels ${verb} needs the id of a channel.`, 'See them with: coterie channels');
  return given;
}
