// coterie thread create: opens a thread and says how to talk in it.
import type { OutputOf } from '../../contract/operation.js';
import { operations } from '../../contract/operations/index.js';
import { flagsFromContract } from '../arguments/flags-from-contract.js';
import { hubFlags, readHubChoice } from '../arguments/hub-flags.js';
import { readArgs } from '../arguments/read-args.js';
import { usage } from '../arguments/usage.js';
import type { Command, Description } from '../command.js';
import { connect } from '../hub/connect.js';
import { paint } from '../show/paint.js';
import { printJson, printLines } from '../show/print.js';
import { oneLine } from '../show/printable.js';
import { threadName } from './thread-name.js';

const flags = [
  ...flagsFromContract(
    operations.createThread,
    [
      { name: 'with', field: 'participants', help: 'the other members' },
      { name: 'message', field: 'initialMessage', value: 'TEXT', help: 'its first message' },
      { name: 'key', field: 'idempotencyKey', value: 'TEXT', help: 'idempotency key: repeats create it once' },
    ],
    ['title'],
  ),
  ...hubFlags,
];

const description: Description = {
  usage: 'create TITLE [options]',
  about: ['Opens a thread. You are a member; --with adds others, who must be registered.'],
  flags,
  examples: [
    { line: 'coterie thread create "Release 1.4" --as ann --with ben,carl', does: 'with two others' },
    { line: 'coterie thread create Nightly --as ann --with ben --message "@ben ready?"', does: 'and a first message' },
  ],
};

export const createThread: Command = {
  describe: () => description,
  async run(argv) {
    const { own, fields, positionals } = readArgs(argv, { command: 'thread create', flags, positionals: ['title'] });
    const [title = fields['title']] = positionals;
    if (title === undefined) {
      throw usage('thread create needs a title.', 'Write it in quotes: coterie thread create "Release 1.4" --as ann');
    }
    const choice = readHubChoice(own);
    const created = await connect(choice).call(operations.createThread, { ...fields, title });
    await (own.has('json') ? printJson(created) : printLines(createdText(created)));
    return 0;
  },
};

function createdText(created: OutputOf<typeof operations.createThread>): string[] {
  const { creator, participants, unknownParticipants: unknown, duplicate } = created;
  const [id, me] = [oneLine(created.threadId), oneLine(creator)];
  const others = participants.filter((member) => member !== creator).map(oneLine);
  const members = others.length === 0 ? '' : ` with ${others.join(', ')}`;
  const verb = duplicate === true ? 'Was already created:' : paint('green', 'Created');
  return [
    `${verb} ${threadName(created)}${members}`,
    ...(unknown.length === 0
      ? []
      : [paint('yellow', `Note: not registered, so not added: ${unknown.map(oneLine).join(', ')}`)]),
    `Talk live: coterie chat ${id} --as ${me}`,
  ];
}
