// coterie wake hook: as an `asyncRewake` hook of Claude Code on SessionStart and Stop. Blocks until there is waking mail, then writes one
// line to stderr and exits with 2, which starts a turn. Nothing else may end it with 2, or write to stderr.
import { z } from 'zod';
import { nameFor } from '../../bridge/auto-name.js';
import { limits } from '../../contract/limits.js';
import { readHubChoice, type HubChoice } from '../arguments/hub-flags.js';
import { readArgs } from '../arguments/read-args.js';
import { readStdin } from '../arguments/read-stdin.js';
import type { Command, Description } from '../command.js';
import { exitCodes } from '../show/exit-code.js';
import { printNotice } from '../show/print.js';
import { attend } from './attend.js';
import { whenClientEnds } from './client-process.js';
import { noteClientSession } from './client-session.js';
import { endingSignal, readCompanionChoice, readRoute, routeFlags } from './companion-flags.js';
import { switchedOff } from './switch.js';
import { parsedJson } from './parsed-json.js';
import { wakeText } from './wake-text.js';

const hookInput = z.object({ session_id: z.string().optional(), cwd: z.string().optional() });

/** What makes Claude Code start a turn. */
const rewakeExitCode = 2;

const description: Description = {
  usage: 'hook [options]',
  about: [
    'For the settings of Claude Code: an asyncRewake hook on SessionStart and Stop.',
    'Waits until mail wakes the agent, prints one line to stderr and exits with 2,',
    'which starts a turn. Takes no message. A later hook of the same session takes',
    'over, and this one exits with 0. Without --agent the name is made of folder',
    'and client, as by coterie mcp --agent auto.',
  ],
  flags: routeFlags,
  examples: [
    { line: 'coterie wake hook --agent builder', does: 'with "asyncRewake": true, "timeout": 86400' },
    { line: 'coterie wake hook', does: 'the agent of COTERIE_AGENT or COTERIE_KEY, or of this folder' },
  ],
};

export const hook: Command = {
  describe: () => description,
  async run(argv) {
    const { own } = readArgs(argv, { command: 'wake hook', flags: routeFlags });
    const { session, folder } = readInput(await readStdin('the hook’s input'));
    const choice = withName(own, folder);
    if (session !== undefined) noteClientSession(choice, session);
    const ending = endingSignal();
    whenClientEnds(() => ending.abort());
    const result = await attend({
      choice,
      route: {
        ...readRoute(own),
        kind: 'claude-hook',
        once: true,
        ...(session === undefined ? {} : { clientSession: session }),
      },
      signal: ending.signal,
      pause: switchedOff,
      wake(wake) {
        printNotice(wakeText(wake));
        return Promise.resolve({ outcome: 'accepted' });
      },
      tell() {},
    });
    return result === 'woken' ? rewakeExitCode : exitCodes.done;
  },
};

function withName(own: ReadonlyMap<string, string>, folder: string): HubChoice {
  if (own.has('agent') || own.has('as')) return readCompanionChoice(own);
  const choice = readHubChoice(own);
  return choice.agent === undefined && choice.key === undefined
    ? { ...choice, agent: nameFor(folder, 'claude') }
    : choice;
}

/** Anything else than the fields of a hook is left out: a person may try the command by hand. */
function readInput(text: string): { session?: string; folder: string } {
  const input = hookInput.safeParse(parsedJson(text)).data;
  const session = input?.session_id?.slice(0, limits.nameChars);
  return { folder: input?.cwd ?? process.cwd(), ...(session === undefined || session === '' ? {} : { session }) };
}
