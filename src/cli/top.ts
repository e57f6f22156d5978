// coterie top: presence, unread counts and throughput, refreshed live. Prints once without a terminal.
import { setTimeout as sleep } from 'node:timers/promises';
import { lostOutcomeOf } from '../client/unreachable.js';
import type { AgentView, Presence } from '../contract/agent.js';
import { presences } from '../contract/agent.js';
import { agentLines } from './agents.js';
import { durationForm, readMs, type Flag } from './arguments/flag.js';
import { readHubChoice, watchFlags, type HubChoice } from './arguments/hub-flags.js';
import { readArgs } from './arguments/read-args.js';
import type { Command, Description } from './command.js';
import { activityBetween, sampleHub, type Activity, type HubSample } from './hub/sample-hub.js';
import { openLiveScreen } from './show/live-screen.js';
import { paint } from './show/paint.js';
import { printJson, printLines } from './show/print.js';
import { shortTime } from './show/short-time.js';
import { truncateTo } from './show/text-width.js';

const everyMsMin = 100;

const flags: readonly Flag[] = [
  {
    name: 'every',
    value: 'TIME',
    help: 'refresh interval (1s)',
    allowed: `${durationForm}; at least 100ms`,
    read: (value) => ((readMs(value) ?? 0) >= everyMsMin ? readMs(value) : undefined),
  },
  { name: 'once', help: 'print once, also on a terminal' },
  ...watchFlags,
];

const description: Description = {
  usage: '[options]',
  about: [
    'Shows presence, unread counts and throughput, live; q quits. In a pipe, with',
    '--once or with --json it prints once.',
  ],
  flags,
  examples: [
    { line: 'coterie top', does: 'live' },
    { line: 'coterie top --session team-b --every 5s', does: 'another session, less often' },
    { line: 'coterie top --json | jq .activity.pending', does: 'once, for a program' },
  ],
};

/** Between the two samples of one output: long enough to measure rates, short enough to wait for. */
const sampleMs = 500;
const everyMsDefault = 1_000;

export const top: Command = {
  describe: () => description,
  async run(argv) {
    const { own } = readArgs(argv, { command: 'top', flags });
    const choice = readHubChoice(own);
    if (own.has('json') || own.has('once') || !process.stdout.isTTY) {
      await printOnce(choice, own.has('json'));
      return 0;
    }
    await watch(choice, readMs(own.get('every') ?? '') ?? everyMsDefault);
    return 0;
  },
};

async function printOnce(choice: HubChoice, isJson: boolean): Promise<void> {
  const before = await sampleHub(choice);
  await sleep(sampleMs);
  const after = await sampleHub(choice);
  const activity = activityBetween(before, after);
  const session = choice.session ?? 'default';
  if (isJson) await printJson({ url: after.url, session, activity, agents: after.agents });
  else await printLines([...headLines(after, activity, session), '', ...agentLines(sorted(after.agents))]);
}

async function watch(choice: HubChoice, everyMs: number): Promise<void> {
  let before = await sampleHub(choice);
  const screen = openLiveScreen();
  const redraw = { lines: [paint('dim', 'Loading …')] };
  const draw = () => screen.draw(redraw.lines);
  process.stdout.on('resize', draw);
  try {
    draw();
    while (!screen.ended.aborted) {
      await sleep(Math.min(everyMs, sampleMs), undefined, { signal: screen.ended }).catch(() => {});
      if (screen.ended.aborted) break;
      const after = await sampleHub(choice).catch((error: unknown) => {
        if (lostOutcomeOf(error) === undefined) throw error;
        return undefined;
      });
      if (after === undefined)
        redraw.lines = [paint('red', 'The hub does not answer. Reconnecting; q quits.'), ...redraw.lines.slice(1)];
      else redraw.lines = screenLines(after, activityBetween(before, after), choice);
      before = after ?? before;
      draw();
      await sleep(Math.max(0, everyMs - sampleMs), undefined, { signal: screen.ended }).catch(() => {});
    }
  } finally {
    process.stdout.off('resize', draw);
    screen.close();
  }
}

function screenLines(sample: HubSample, activity: Activity, choice: HubChoice): string[] {
  const { columns, rows } = process.stdout;
  const head = headLines(sample, activity, choice.session ?? 'default');
  const table = agentLines(sorted(sample.agents), columns);
  const room = Math.max(2, rows - head.length - 2);
  const more = table.length > room ? [paint('dim', `… and ${table.length - room + 1} more`)] : [];
  return [...head, '', ...table.slice(0, more.length === 0 ? room : room - 1), ...more];
}

const ms = (mean: number | null) => (mean === null ? '–' : `${mean} ms`);
const per = (count: number) => `${count}/s`;

const program = 'coterie top';

function headLines({ url, agents }: HubSample, activity: Activity, session: string): string[] {
  const counts = presences.map((presence) => `${countOf(agents, presence)} ${presence}`).join(', ');
  const width = process.stdout.isTTY ? process.stdout.columns : 1_000;
  const rows: [string, string][] = [
    ['agents', counts],
    [
      'flow',
      `${per(activity.sendsPerSecond)} sent, ${per(activity.copiesPerSecond)} copies, ${per(activity.readPerSecond)} read; ${activity.messages} messages in all`,
    ],
    ['copies', `${activity.pending} pending, ${activity.inDoubt} in doubt, ${activity.deadLettered} dead`],
    ['waits', `${activity.waitsParked} parked`],
    [
      'hub',
      `commit ${ms(activity.commitMs)}, wake ${ms(activity.wakeMs)}, ${Math.round(activity.residentBytes / 1_048_576)} MB`,
    ],
  ];
  const where = truncateTo(
    `  ${url}  session ${session}  ${shortTime(new Date().toISOString())}`,
    width - program.length,
  );
  return [
    `${paint('bold', program)}${where}`,
    ...rows.map(([title, text]) => `${paint('dim', title.padEnd(8))}${truncateTo(text, width - 8)}`),
  ];
}

function countOf(agents: readonly AgentView[], presence: Presence): number {
  return agents.filter((agent) => agent.presence === presence).length;
}

/** By unread count, then by presence. */
function sorted(agents: readonly AgentView[]): AgentView[] {
  return agents.toSorted(
    (a, b) =>
      (b.unread ?? 0) - (a.unread ?? 0) ||
      presences.indexOf(a.presence) - presences.indexOf(b.presence) ||
      a.id.localeCompare(b.id),
  );
}
