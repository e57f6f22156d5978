// coterie wake hook: as an `asyncRewake` hook of Claude Code on SessionStart and Stop. Blocks until there is waking mail, then writes one
// line to stderr and exits with 2, which starts a turn. Nothing else may end it with 2, or write to stderr.
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { limits } from '../../contract/limits.js';
import type { HubChoice } from '../arguments/hub-flags.js';
import { readArgs, type Given } from '../arguments/read-args.js';
import { readStdin } from '../arguments/read-stdin.js';
import type { Command, Description } from '../command.js';
import { autoName, hookChoice } from '../hub/hook-name.js';
import { exitCodes } from '../show/exit-code.js';
import { printNotice } from '../show/print.js';
import { attend } from './attend.js';
import { whenClientEnds } from './client-process.js';
import { noteClientSession } from './client-session.js';
import { endingSignal, readCompanionChoice, readRoute, routeFlags } from './companion-flags.js';
import { switchedOff } from './switch.js';
import { parsedJson } from './parsed-json.js';
import { wakeText } from './wake-text.js';

/** Then the hook of the next turn's end looks again. */
const nameMsMax = 60_000;
const nameEveryMs = 500;

const hookInput = z.object({ session_id: z.string().optional(), cwd: z.string().optional() });

/** What makes Claude Code start a turn. */
const rewakeExitCode = 2;

const description: Description = {
  usage: 'hook [options]',
  about: [
    'For the settings of Claude Code: an asyncRewake hook on SessionStart and Stop.',
    'Waits until mail wakes the agent, prints one line to stderr and exits with 2,',
    'which starts a turn. Takes no message. A later hook of the same session takes',
    'over, and this one exits with 0. With --agent auto it is the agent of the',
    'coterie mcp --agent auto that the same client runs.',
  ],
  flags: routeFlags,
  examples: [
    { line: 'coterie wake hook --agent builder', does: 'with "asyncRewake": true, "timeout": 86400' },
    { line: 'coterie wake hook', does: 'the agent of COTERIE_AGENT or COTERIE_KEY, or auto' },
  ],
};

export const hook: Command = {
  describe: () => description,
  async run(argv) {
    const { own } = readArgs(argv, { command: 'wake hook', flags: routeFlags });
    const { session, folder } = readInput(await readStdin('the hook’s input'));
    const ending = endingSignal();
    whenClientEnds(() => ending.abort());
    const choice = await choiceWhenKnown(own, folder, ending.signal);
    if (choice === undefined) return exitCodes.done;
    if (session !== undefined) noteClientSession(choice, session);
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

/** A session's hook may start before its bridge has a name. */
async function choiceWhenKnown(own: Given['own'], folder: string, signal: AbortSignal): Promise<HubChoice | undefined> {
  const given = own.get('agent') ?? own.get('as') ?? autoName;
  if (given !== autoName) return readCompanionChoice(own);
  const lastAt = performance.now() + nameMsMax;
  for (;;) {
    const choice = hookChoice(own, { client: 'claude', folder });
    if (choice !== undefined || signal.aborted || performance.now() > lastAt) return choice;
    await sleep(nameEveryMs, undefined, { signal }).catch(() => {});
  }
}

/** Anything else than the fields of a hook is left out: a person may try the command by hand. */
function readInput(text: string): { session?: string; folder: string } {
  const input = hookInput.safeParse(parsedJson(text)).data;
  const session = input?.session_id?.slice(0, limits.nameChars);
  return { folder: input?.cwd ?? process.cwd(), ...(session === undefined || session === '' ? {} : { session }) };
}
