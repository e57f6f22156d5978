// coterie hook: programs that clients start at certain events.
import { toHubError } from '../../contract/errors.js';
import { splitVerb } from '../arguments/split-verb.js';
import { didYouMean, usage } from '../arguments/usage.js';
import type { Command, Description } from '../command.js';
import { exitCodes } from '../show/exit-code.js';
import { printNotice } from '../show/print.js';
import { permission } from './permission.js';

const verbs: ReadonlyMap<string, Command> = new Map([['permission', permission]]);

const description: Description = {
  usage: 'permission [options]',
  about: [
    'For the settings of a client. `permission` puts its permission prompts on your',
    'phone: coterie help hook permission.',
  ],
  flags: [],
  list: { title: 'Verbs', rows: [['permission', 'asks a person whether a tool call may run']] },
  examples: [
    { line: 'coterie hook permission', does: 'as a PermissionRequest hook of Claude Code' },
    { line: 'coterie hook permission --client codex --timeout 2m', does: 'of Codex' },
  ],
  verbs: [...verbs.keys()],
};

export const hook: Command = {
  describe: (argv) => splitVerb(argv, verbs).verb?.describe([]) ?? description,
  async run(argv) {
    try {
      return await run(argv);
    } catch (thrown) {
      // Exit code 2, that of a usage error, would be a refusal for the clients.
      const { code, message, hint } = toHubError(thrown);
      printNotice(`${code}: ${message}\n${hint}`);
      return exitCodes.unhealthy;
    }
  },
};

function run(argv: readonly string[]): Promise<number> {
  const { word, verb, rest } = splitVerb(argv, verbs);
  if (verb !== undefined) return verb.run(rest);
  const near = didYouMean(word, verbs.keys(), (name) => `coterie hook ${name}`);
  throw usage(word === '' ? 'hook needs a verb.' : `'${word}' is not a hook.`, `${near}Write: coterie hook permission`);
}
