// What the verbs that run a companion have in common: flags, name, signals and the way of ending.
import { hostname } from 'node:os';
import { limits } from '../../contract/limits.js';
import { durationForm, readMs, type Flag } from '../arguments/flag.js';
import { asFlag, dataFlag, readHubChoice, sessionFlag, urlFlag, type HubChoice } from '../arguments/hub-flags.js';
import { keyFileFlag } from '../arguments/key-choice.js';
import type { Given } from '../arguments/read-args.js';
import { usage } from '../arguments/usage.js';
import { autoName } from '../hub/hook-name.js';
import { exitCodes } from '../show/exit-code.js';
import { printNotice } from '../show/print.js';
import { oneLine } from '../show/printable.js';
import type { Ending, Route } from './attend.js';

const wholeNumber = (max: number) => (value: string) => {
  const number = /^\d{1,4}$/.test(value) ? Number(value) : Number.NaN;
  return number <= max ? number : undefined;
};

const perHourMax = 1_000;
const positionMax = 1_000;

const perHourFlag: Flag = {
  name: 'per-hour',
  value: 'N',
  help: `most wakes in an hour (${limits.wakesPerHour})`,
  allowed: `1 to ${perHourMax}`,
  read: (value) => wholeNumber(perHourMax)(value) || undefined,
};

/** `--agent` is the bridge's name for `--as`, and what people write here. */
const agentFlag: Flag = { ...asFlag, name: 'agent', help: 'the agent that is woken' };

export const routeFlags: readonly Flag[] = [
  { name: 'label', value: 'TEXT', help: 'shown to others (this machine)' },
  {
    name: 'position',
    value: 'N',
    help: 'place in the chain of routes, from 0 (0)',
    allowed: `0 to ${positionMax}`,
    read: wholeNumber(positionMax),
  },
  {
    name: 'confirm',
    value: 'TIME',
    help: 'then the next route is tried (60s)',
    allowed: `${durationForm}, from 1s to 1h`,
    read: (value) => inConfirmRange(readMs(value)),
  },
  perHourFlag,
  agentFlag,
  { ...asFlag, isSecondary: true },
  sessionFlag,
  urlFlag,
  dataFlag,
  keyFileFlag,
];

function inConfirmRange(ms: number | undefined): number | undefined {
  return ms !== undefined && ms >= 1_000 && ms <= limits.wakeConfirmMs ? ms : undefined;
}

/** `--agent` or `--as`; both only if they agree. */
export function readCompanionChoice(own: Given['own']): HubChoice {
  const [agent, as] = [own.get('agent'), own.get('as')];
  if (agent !== undefined && as !== undefined && agent !== as) {
    throw usage('--agent and --as are the same; both were given.', 'Give it once.');
  }
  const name = agent ?? as;
  const { agent: known, ...unnamed } = readHubChoice(
    new Map([...own, ...(name === undefined ? [] : [['as', name] as const])]),
  );
  // The agent of the key, whatever COTERIE_AGENT says.
  const choice: HubChoice = known === undefined || known === autoName ? unnamed : { ...unnamed, agent: known };
  if (choice.agent === undefined && choice.key === undefined) {
    throw usage('This command needs the name of the agent.', 'Give --agent NAME, or set COTERIE_AGENT or COTERIE_KEY.');
  }
  return choice;
}

export function readRoute(own: Given['own']): Omit<Route, 'kind'> {
  const [position, confirm, perHour] = [own.get('position'), own.get('confirm'), own.get('per-hour')];
  return {
    label: oneLine(own.get('label') ?? hostname()).slice(0, limits.nameChars),
    ...(position === undefined ? {} : { position: Number(position) }),
    ...(confirm === undefined ? {} : { confirmMs: readMs(confirm) ?? 0 }),
    ...(perHour === undefined ? {} : { wakesPerHour: Number(perHour) }),
  };
}

const endingSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Aborted by the signals that end a program, which then ends by itself. */
export function endingSignal(): AbortController {
  const ending = new AbortController();
  for (const signal of endingSignals) process.on(signal, () => ending.abort());
  return ending;
}

export const tellOnStderr = (line: string) => printNotice(`coterie wake: ${oneLine(line)}`);

export function exitCodeOf(ending: Ending): number {
  if (ending === 'replaced') tellOnStderr('Another companion has taken over this route.');
  return exitCodes.done;
}
