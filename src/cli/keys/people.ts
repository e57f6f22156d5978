// coterie people: registers the people whom agents answer to. Only here: an agent cannot make itself a person.
import type { Flag } from '../arguments/flag.js';
import { jsonFlag } from '../arguments/hub-flags.js';
import { badValue, readArgs } from '../arguments/read-args.js';
import { splitVerb } from '../arguments/split-verb.js';
import { didYouMean, usage } from '../arguments/usage.js';
import type { Command, Description } from '../command.js';
import { tableLines } from '../show/print-table.js';
import { printJson, printLines, printNotice } from '../show/print.js';
import { oneLine } from '../show/printable.js';
import { inDeviceOffice, type DeviceOffice } from '../devices/device-office.js';
import { startLink } from '../devices/pair.js';
import { inOffice, officeFlags, type KeyOffice } from './key-office.js';
import { agentFlag, newKeyFlags, printKey, readAgentId, wantedKey } from './make-key.js';

const addFlags: readonly Flag[] = [
  { name: 'name', value: 'TEXT', help: 'the full name' },
  { name: 'key', help: 'make a key for the person, printed alone on stdout' },
  ...newKeyFlags,
  ...officeFlags,
];

const addPerson: Command = {
  describe: () => ({
    usage: 'add NAME [options]',
    about: [
      'Registers a person. With --key it also makes a key that speaks for the person,',
      'which no agent can get.',
    ],
    flags: addFlags,
    examples: [
      { line: 'coterie people add ann --name "Ann Lee"', does: 'a person of the session' },
      { line: 'coterie people add ann --key > ann.key', does: 'and a key for her' },
    ],
  }),
  async run(argv) {
    const { own, positionals } = readArgs(argv, { command: 'people add', flags: addFlags, positionals: ['name'] });
    const [given] = positionals;
    if (given === undefined) throw usage('people add needs a name.', 'Write: coterie people add NAME');
    const id = readAgentId(given);
    if (id === undefined) throw badValue('NAME', given, agentFlag.allowed);
    const [forKey] = own.has('key') ? [] : newKeyFlags.filter(({ name }) => own.has(name));
    if (forKey !== undefined) throw usage(`--${forKey.name} is about a key.`, 'Add --key to make one.');
    const register = async (office: KeyOffice) => {
      const { isNew, sessionId } = await office.addPerson(id, own.get('name') ?? null);
      printNotice(`${isNew ? 'Registered' : 'Already registered:'} ${id}, a person of session '${sessionId}'.`);
      if (own.has('key')) await printKey(await office.createForPerson({ ...wantedKey(own), agentId: id }));
    };
    await inOffice(own, register, { mayCreate: true });
    if (!own.has('key')) await invite(own, id);
    return 0;
  },
};

/** A link for their device, if the hub runs; without a hub nothing could be paired within its five minutes. */
async function invite(own: ReadonlyMap<string, string>, id: string): Promise<void> {
  const pair = async (office: DeviceOffice) => {
    if (office.hub === undefined) {
      printNotice(`For a device of theirs start the hub, then: coterie pair --person ${id}`);
      return;
    }
    const { link } = await startLink(office, id);
    printNotice('To pair a device of theirs, open this link on it, once, within 5 minutes:');
    await printLines([link]);
    printNotice(`To verify the device as well, run this in place of the link: coterie pair --person ${id}`);
  };
  await inDeviceOffice(own, pair, { isOperator: true });
}

const listFlags: readonly Flag[] = [...officeFlags, jsonFlag];

const listPeople: Command = {
  describe: () => ({
    usage: 'list [options]',
    about: ['Lists the people of a session.'],
    flags: listFlags,
    examples: [{ line: 'coterie people list --session team-b', does: 'of another session' }],
  }),
  async run(argv) {
    const { own } = readArgs(argv, { command: 'people list', flags: listFlags });
    const people = await inOffice(own, (office) => office.people());
    if (own.has('json')) await printJson({ people });
    else if (people.length === 0) await printLines(['No people. Add one with: coterie people add NAME']);
    else
      await printLines(
        tableLines(
          [{ title: 'ID' }, { title: 'NAME' }],
          people.map(({ id, name }) => [id, oneLine(name)]),
        ),
      );
    return 0;
  },
};

const verbs: ReadonlyMap<string, Command> = new Map([
  ['add', addPerson],
  ['list', listPeople],
]);

const description: Description = {
  usage: '[add NAME | list] [options]',
  about: ['The people of a session: whom agents may ask, and who may answer.'],
  flags: listFlags,
  list: {
    title: 'Verbs',
    rows: [
      ['add NAME', 'registers a person; --key makes a key too'],
      ['list', 'who is registered'],
    ],
  },
  examples: [
    { line: 'coterie people add ann --key > ann.key', does: 'coterie help people add has its options' },
    { line: 'coterie people list', does: 'the same as coterie people' },
  ],
  verbs: [...verbs.keys()],
};

export const people: Command = {
  describe: (argv) => splitVerb(argv, verbs).verb?.describe([]) ?? description,
  run(argv) {
    const { word, verb, rest } = splitVerb(argv, verbs);
    if (verb !== undefined) return verb.run(rest);
    if (word === '') return listPeople.run(argv);
    throw usage(
      `'${word}' is not a verb of coterie people.`,
      `${didYouMean(word, verbs.keys(), (near) => `coterie people ${near}`)}Verbs: add, list.`,
    );
  },
};
