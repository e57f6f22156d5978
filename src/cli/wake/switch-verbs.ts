// coterie wake off, on: the switch on this machine.
import type { Flag } from '../arguments/flag.js';
import { asFlag } from '../arguments/hub-flags.js';
import { readArgs } from '../arguments/read-args.js';
import type { Command } from '../command.js';
import { printLines } from '../show/print.js';
import { setSwitch, switchedOff } from './switch.js';

const { env: _, ...nameFlag } = asFlag;
const flags: readonly Flag[] = [{ ...nameFlag, name: 'agent', help: 'only for this agent; without it for all' }];

export const off = switchVerb('off', {
  about: [
    'No companion on this machine takes a wake until coterie wake on. A command that',
    'runs is ended. The mail waits unread.',
  ],
  line: (who) => `Nothing here wakes ${who} any more. Undo: coterie wake on`,
});

export const on = switchVerb('on', {
  about: ['Companions on this machine take wakes again, after coterie wake off.'],
  line: (who) => `Companions here wake ${who} again.`,
});

function switchVerb(
  word: 'off' | 'on',
  { about, line }: { about: readonly string[]; line: (who: string) => string },
): Command {
  return {
    describe: () => ({
      usage: `${word} [--agent NAME]`,
      about,
      flags,
      examples: [
        { line: `coterie wake ${word}`, does: 'all agents' },
        { line: `coterie wake ${word} --agent builder`, does: 'one' },
      ],
    }),
    async run(argv) {
      const { own } = readArgs(argv, { command: `wake ${word}`, flags });
      const agent = own.get('agent')?.replace(/^@/, '');
      setSwitch(word === 'on', agent);
      const still = word === 'on' ? switchedOff(agent) : undefined;
      const said = line(agent ?? 'agents');
      await printLines([
        still === undefined
          ? `${said}${word === 'off' && agent !== undefined ? ` --agent ${agent}` : ''}`
          : `Still ${still.why}`,
      ]);
      return 0;
    },
  };
}
