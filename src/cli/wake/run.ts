// coterie wake run: starts a headless command on this machine when mail wakes the agent. The hub knows neither the command nor
// the machine.
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '../../contract/limits.js';
import { durationForm, readMs, type Flag } from '../arguments/flag.js';
import type { HubChoice } from '../arguments/hub-flags.js';
import { readArgs } from '../arguments/read-args.js';
import type { Command, Description } from '../command.js';
import { attend, type Attempt, type Outcome } from './attend.js';
import { clientSessionForm, isClientSession, notedClientSession } from './client-session.js';
import { checkCommand, fillCommand, splitCommand } from './command-line.js';
import {
  endingSignal,
  exitCodeOf,
  readCompanionChoice,
  readRoute,
  routeFlags,
  tellOnStderr,
} from './companion-flags.js';
import { takeFlight, type Flight } from './flight.js';
import { noteEnd, noteStart, pauseOf, readPace, type Pause } from './pace.js';
import { quietHoursForm, quietUntil, readQuietHours, type QuietHours } from './quiet-hours.js';
import { endGroup, runCommand } from './run-command.js';
import { switchedOff } from './switch.js';
import { agentFile } from './wake-folder.js';
import { wakeText, type WakeView } from './wake-text.js';

const flags: readonly Flag[] = [
  {
    name: 'client-session',
    value: 'ID',
    help: 'what {session} is (the last one of wake hook)',
    allowed: clientSessionForm,
    read: (value) => (isClientSession(value) ? value : undefined),
  },
  { name: 'quiet-hours', value: 'TIMES', help: 'like 22:00-07:00', allowed: quietHoursForm, read: readQuietHours },
  {
    name: 'timeout',
    value: 'TIME',
    help: 'the command is ended then (30m)',
    allowed: `${durationForm}, at most 1d`,
    read: (value) => withinADay(readMs(value)),
  },
  ...routeFlags,
];

const description: Description = {
  usage: 'run [options] -- COMMAND…',
  about: [
    'Starts a command when mail wakes the agent, one at a time. {prompt}, {session}',
    'and {agent} are replaced where they are whole arguments; there is no shell. The',
    'prompt says how many messages there are and from whom, never what they say.',
    'After a failure it waits, longer each time. coterie wake off stops it.',
  ],
  flags,
  examples: [
    {
      line: 'coterie wake run --agent builder -- claude -p --resume {session} {prompt}',
      does: 'Claude Code, headless',
    },
    { line: 'coterie wake run --agent builder --quiet-hours 22:00-07:00 -- ./wake.sh', does: 'a script of yours' },
  ],
};

function withinADay(ms: number | undefined): number | undefined {
  return ms !== undefined && ms > 0 && ms <= 86_400_000 ? ms : undefined;
}

const timeoutMsDefault = 30 * 60_000;
/** The hub asks for a sign of life at least every 30 s. */
const beatMs = 10_000;
const lookEveryMs = 500;

export const run: Command = {
  describe: () => description,
  async run(argv) {
    const { flags: typed, command } = splitCommand(argv);
    const { own } = readArgs(typed, { command: 'wake run', flags });
    checkCommand(command);
    const choice = readCompanionChoice(own);
    const route = readRoute(own);
    const ending = endingSignal();
    const perHour = route.wakesPerHour ?? limits.wakesPerHour;
    const paceFile = agentFile(choice, 'pace.json');
    const quietHours = readQuietHours(own.get('quiet-hours') ?? '');
    const result = await attend({
      choice,
      route: { ...route, kind: 'command' },
      signal: ending.signal,
      pause: (agent) =>
        switchedOff(agent) ?? quietPause(quietHours) ?? pauseOf(readPace(paceFile), { perHour, now: Date.now() }),
      wake: (wake, attempt) =>
        fly({
          choice,
          command,
          wake,
          attempt,
          paceFile,
          session: own.get('client-session'),
          timeoutMs: readMs(own.get('timeout') ?? '') ?? timeoutMsDefault,
          signal: ending.signal,
        }),
      tell: tellOnStderr,
    });
    return exitCodeOf(result);
  },
};

function quietPause(hours: QuietHours | undefined): Pause | undefined {
  const until = hours === undefined ? undefined : quietUntil(hours, new Date());
  return until === undefined ? undefined : { why: 'quiet hours', until };
}

interface CommandWake {
  choice: HubChoice;
  command: readonly string[];
  wake: WakeView;
  attempt: Attempt;
  paceFile: string;
  session: string | undefined;
  timeoutMs: number;
  signal: AbortSignal;
}

async function fly(given: CommandWake): Promise<Outcome> {
  const flight = takeFlight(given.choice);
  if (flight === undefined) return failed('another companion runs a command of this agent');
  try {
    if (await waitForLeft(flight, given)) return { outcome: 'finished' };
    const reason = await start(flight, given);
    const outcome: Outcome = reason === undefined ? { outcome: 'finished' } : failed(reason);
    tellOnStderr(reason ?? `${given.command[0]} has ended.`);
    return outcome;
  } finally {
    flight.land();
  }
}

/** Waits for the command of a killed companion. True if the agent has called meanwhile: then no other one is needed. */
async function waitForLeft(flight: Flight, { attempt, signal }: CommandWake): Promise<boolean> {
  let left = flight.left();
  if (left !== undefined) tellOnStderr(`The command of an earlier companion still runs (pid ${left.pid}).`);
  let killTimer: NodeJS.Timeout | undefined;
  for (let beats = 0; left !== undefined && !signal.aborted; left = flight.left()) {
    if (Date.now() >= left.endsBy) killTimer ??= endGroup(left.pid);
    if (beats++ % (beatMs / lookEveryMs) === 0 && (await attempt.running()) === 'confirmed') return true;
    await sleep(lookEveryMs, undefined, { signal }).catch(() => {});
  }
  clearTimeout(killTimer);
  return false;
}

async function start(flight: Flight, given: CommandWake): Promise<string | undefined> {
  const { choice, command, wake, attempt, paceFile, timeoutMs, signal } = given;
  const session = given.session ?? notedClientSession(choice);
  const filled = fillCommand(command, { prompt: wakeText(wake), session, agent: attempt.agent });
  if (filled === undefined) return 'no client session of the agent is known here';
  if (signal.aborted) return 'the companion was ended';
  noteStart(paceFile, Date.now());
  const running = await runCommand(filled);
  if ('failed' in running) {
    noteEnd(paceFile, { isFailed: true, now: Date.now() });
    return running.failed;
  }
  flight.note(running.pid, Date.now() + timeoutMs);
  let beat = attempt.running();
  let isStopped = false;
  /** By a person: not a failure of the command. */
  const stop = (why: string) => {
    isStopped = true;
    running.end(why);
  };
  const timers = [
    setInterval(() => {
      beat = attempt.running();
    }, beatMs),
    setInterval(() => {
      if (switchedOff(attempt.agent) !== undefined) stop('was ended: switched off on this machine');
    }, lookEveryMs),
    setTimeout(() => running.end(`ran longer than ${Math.round(timeoutMs / 1_000)} s and was ended`), timeoutMs),
  ];
  const leave = () => stop('was ended with its companion');
  signal.addEventListener('abort', leave);
  const reason = await running.ended;
  signal.removeEventListener('abort', leave);
  for (const timer of timers) clearTimeout(timer);
  noteEnd(paceFile, { isFailed: reason !== undefined && !isStopped, now: Date.now() });
  // What is said last must arrive last.
  await beat;
  return reason;
}

function failed(reason: string): Outcome {
  return { outcome: 'failed', reason: reason.slice(0, limits.wakeReasonChars) };
}
