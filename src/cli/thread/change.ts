// coterie thread join, leave and close.
import { operations } from '../../contract/operations/index.js';
import type { Flag } from '../arguments/flag.js';
import { flagsFromContract } from '../arguments/flags-from-contract.js';
import { hubFlags, readHubChoice } from '../arguments/hub-flags.js';
import { readArgs } from '../arguments/read-args.js';
import type { Command, Description } from '../command.js';
import { connect } from '../hub/connect.js';
import { paint } from '../show/paint.js';
import { printJson, printLines } from '../show/print.js';
import { oneLine } from '../show/printable.js';
import { memberText } from '../threads.js';
import { threadIdOf } from './thread-id.js';
import { threadName } from './thread-name.js';

interface Change {
  readonly verb: 'join' | 'leave' | 'close';
  readonly operation: typeof operations.joinThread | typeof operations.leaveThread | typeof operations.closeThread;
  readonly flags: readonly Flag[];
  readonly description: Pick<Description, 'about' | 'examples'>;
}

export const joinThread = threadChange({
  verb: 'join',
  operation: operations.joinThread,
  flags: flagsFromContract(operations.joinThread, [], ['threadId']),
  description: {
    about: ['Makes you a member of an open thread: you get its messages from now on.'],
    examples: [
      { line: 'coterie thread join t463814920757 --as ben', does: 'see its id with: coterie threads' },
      { line: 'coterie chat t463814920757 --as ben', does: 'joins too, and talks live' },
    ],
  },
});

export const leaveThread = threadChange({
  verb: 'leave',
  operation: operations.leaveThread,
  flags: flagsFromContract(operations.leaveThread, [], ['threadId']),
  description: {
    about: ['Ends your membership. The longest member then owns the thread; the last to', 'leave closes it.'],
    examples: [
      { line: 'coterie thread leave t463814920757 --as ben', does: 'its messages no longer reach you' },
      { line: 'coterie thread join t463814920757 --as ben', does: 'come back' },
    ],
  },
});

export const closeThread = threadChange({
  verb: 'close',
  operation: operations.closeThread,
  flags: flagsFromContract(
    operations.closeThread,
    [{ name: 'summary', field: 'summary', value: 'TEXT', help: 'what came of it, for its members' }],
    ['threadId'],
  ),
  description: {
    about: ['Closes a thread you created. It can still be read.'],
    examples: [
      { line: 'coterie thread close t463814920757 --as ann --summary "Shipped."', does: 'with a summary' },
      { line: 'coterie call reopen_thread --as ann --thread-id t463814920757', does: 'open it again' },
    ],
  },
});

function threadChange({ verb, operation, flags: own, description }: Change): Command {
  const flags = [...own, ...hubFlags];
  return {
    describe: () => ({ usage: `${verb} ID [options]`, ...description, flags }),
    async run(argv) {
      const given = readArgs(argv, { command: `thread ${verb}`, flags, positionals: ['id'] });
      const threadId = threadIdOf(`thread ${verb}`, given.positionals[0], given.fields);
      const changed = await connect(readHubChoice(given.own)).call(operation, { ...given.fields, threadId });
      const members = changed.participants.length === 0 ? '' : ` (${memberText(changed.participants)})`;
      const said = `${paint('green', sentences[changed.result] ?? oneLine(changed.result))} ${threadName(changed)}${members}`;
      await (given.own.has('json') ? printJson(changed) : printLines([said]));
      return 0;
    },
  };
}

const sentences: Readonly<Record<string, string>> = {
  joined: 'Joined',
  left: 'Left',
  closed: 'Closed',
  already_participant: 'You are already in',
  not_a_participant: 'You are not in',
  already_closed: 'Was already closed:',
};
