// coterie prompt: the paragraph that tells an agent how to use the hub.
import { agentPrompt } from '../contract/connect/agent-prompt.js';
import { asFlag } from './arguments/hub-flags.js';
import { readArgs } from './arguments/read-args.js';
import type { Command, Description } from './command.js';
import { printLines } from './show/print.js';

/** Not from the environment: COTERIE_AGENT is the person at the terminal. */
const { env: _, ...nameFlag } = asFlag;
const flags = [{ ...nameFlag, name: 'agent', help: 'the agent’s name' }];

const description: Description = {
  usage: '[--agent NAME]',
  about: [
    'Prints what to tell an agent once it is connected, to paste into its CLAUDE.md',
    'or AGENTS.md. Needs no hub.',
  ],
  flags,
  examples: [
    { line: 'coterie prompt --agent builder', does: 'with the agent’s name' },
    { line: 'coterie prompt --agent builder >> CLAUDE.md', does: 'for Claude Code; AGENTS.md for the others' },
  ],
};

export const prompt: Command = {
  describe: () => description,
  async run(argv) {
    const { own } = readArgs(argv, { command: 'prompt', flags, elsewhere: { as: 'Did you mean --agent?' } });
    await printLines([agentPrompt(own.get('agent'))]);
    return 0;
  },
};
