// coterie wake: the companion beside an agent, which starts a turn when mail arrives, and what belongs to it.
import { splitVerb } from '../arguments/split-verb.js';
import { didYouMean, usage } from '../arguments/usage.js';
import { toHubError } from '../../contract/errors.js';
import type { Command, Description } from '../command.js';
import { exitCodes } from '../show/exit-code.js';
import { printNotice } from '../show/print.js';
import { codex } from './codex.js';
import { hook } from './hook.js';
import { lines } from './lines.js';
import { opencode } from './opencode.js';
import { run } from './run.js';
import { status } from './status.js';
import { off, on } from './switch-verbs.js';
import { test } from './test.js';

/** Exit code 2, that of a usage error, would start a turn of the client. */
const safeHook: Command = {
  describe: (argv) => hook.describe(argv),
  async run(argv) {
    try {
      return await hook.run(argv);
    } catch (thrown) {
      const { code, message, hint } = toHubError(thrown);
      printNotice(`${code}: ${message}\n${hint}`);
      return exitCodes.unhealthy;
    }
  },
};

const verbs: ReadonlyMap<string, Command> = new Map([
  ['hook', safeHook],
  ['lines', lines],
  ['run', run],
  ['codex', codex],
  ['opencode', opencode],
  ['off', off],
  ['on', on],
  ['status', status],
  ['test', test],
]);

const description: Description = {
  usage: 'VERB [options]',
  about: [
    'Starts a turn of an idle agent when mail arrives: a program beside the agent, on',
    'its machine, which takes no message. The hub proves that the agent was woken by',
    'its next call. coterie help wake VERB explains one.',
  ],
  flags: [],
  list: {
    title: 'Verbs',
    rows: [
      ['hook', 'an asyncRewake hook of Claude Code'],
      ['lines', 'a line for each wake, for a monitor of a Claude Code plugin'],
      ['run', 'starts a headless command of yours'],
      ['codex', 'a thread of Codex, through its queue or an app-server'],
      ['opencode', 'a session of OpenCode, through its HTTP server'],
      ['off, on', 'stops all wakes on this machine; allows them again'],
      ['status', 'how an agent can be woken, and its latest wakes'],
      ['test', 'wakes an agent, and says where it stopped'],
    ],
  },
  examples: [
    { line: 'coterie wake run --agent builder -- claude -p --resume {session} {prompt}', does: 'headless' },
    { line: 'coterie wake test @builder --as me', does: 'does it work?' },
  ],
  verbs: [...verbs.keys()],
};

export const wake: Command = {
  describe: (argv) => splitVerb(argv, verbs).verb?.describe([]) ?? description,
  run(argv) {
    const { word, verb, rest } = splitVerb(argv, verbs);
    if (verb !== undefined) return verb.run(rest);
    throw usage(
      word === '' ? 'wake needs a verb.' : `'${word}' is not something to do with wake.`,
      `${didYouMean(word, verbs.keys(), (name) => `coterie wake ${name}`)}Allowed: ${[...verbs.keys()].join(', ')}.`,
    );
  },
};
