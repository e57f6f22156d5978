// coterie redact: erases what a message says.
import { operations } from '../../contract/operations/index.js';
import { flagsFromContract } from '../arguments/flags-from-contract.js';
import { hubFlags, readHubChoice } from '../arguments/hub-flags.js';
import { readArgs } from '../arguments/read-args.js';
import { usage } from '../arguments/usage.js';
import type { Command, Description } from '../command.js';
import { connect } from '../hub/connect.js';
import { printJson, printLines } from '../show/print.js';
import { oneLine } from '../show/printable.js';

const flags = [...flagsFromContract(operations.redactMessage, [], ['messageId']), ...hubFlags];

const description: Description = {
  usage: 'MESSAGE_ID [options]',
  about: [
    'Erases for good what a message says and its attachments, for example a secret.',
    'Its id, sender and time stay. Who has read it already may still have it.',
  ],
  flags,
  examples: [
    { line: 'coterie redact ma17k3', does: 'nobody can read it again' },
    { line: 'coterie redact ma17k3 --reason "a password"', does: 'with a reason, for all to see' },
  ],
};

export const redact: Command = {
  describe: () => description,
  async run(argv) {
    const { own, fields, positionals } = readArgs(argv, { command: 'redact', flags, positionals: ['message'] });
    const [messageId] = positionals;
    if (messageId === undefined) {
      throw usage('redact needs the id of a message.', 'Find it with: coterie search "some of its words"');
    }
    const answer = await connect(readHubChoice(own)).call(operations.redactMessage, { ...fields, messageId });
    await (own.has('json') ? printJson(answer) : printLines([`Redacted ${oneLine(messageId)}`]));
    return 0;
  },
};
