// coterie wake lines: one line on stdout for each wake, for a program that starts a turn with each line, such as a monitor of a
// Claude Code plugin.
import { readArgs } from '../arguments/read-args.js';
import type { Command, Description } from '../command.js';
import { OutputClosed, printLines } from '../show/print.js';
import { attend } from './attend.js';
import { whenClientEnds } from './client-process.js';
import {
  endingSignal,
  exitCodeOf,
  readCompanionChoice,
  readRoute,
  routeFlags,
  tellOnStderr,
} from './companion-flags.js';
import { switchedOff } from './switch.js';
import { wakeText } from './wake-text.js';

const description: Description = {
  usage: 'lines [options]',
  about: [
    'Prints a line on stdout whenever mail wakes the agent, until it is ended: for a',
    'monitor of a Claude Code plugin. Takes no message; the line says how many there',
    'are, and from whom.',
  ],
  flags: routeFlags,
  examples: [
    { line: 'coterie wake lines --agent builder', does: 'as the command of a monitor' },
    { line: 'coterie wake lines --agent builder --position 1', does: 'tried after the routes at 0' },
  ],
};

export const lines: Command = {
  describe: () => description,
  async run(argv) {
    const { own } = readArgs(argv, { command: 'wake lines', flags: routeFlags });
    const choice = readCompanionChoice(own);
    const ending = endingSignal();
    whenClientEnds(() => ending.abort());
    const result = await attend({
      choice,
      route: { ...readRoute(own), kind: 'claude-monitor' },
      signal: ending.signal,
      pause: switchedOff,
      async wake(wake) {
        try {
          await printLines([wakeText(wake)]);
          return { outcome: 'accepted' };
        } catch (error) {
          ending.abort();
          const why = error instanceof OutputClosed ? 'closed' : 'failed';
          return { outcome: 'failed', reason: `the output to the client is ${why}` };
        }
      },
      tell: tellOnStderr,
    });
    return exitCodeOf(result);
  },
};
