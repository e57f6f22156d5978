// coterie top: who is there, what is unread and how much flows, again and again. Once, where there is no terminal.
import { setTimeout as sleep } from 'node:timers/promises';
import { lostOutcomeOf } from '../client/unreachable.js';
import type { AgentView, Presence } from '../contract/agent.js';
import { presences } from '../contract/agent.js';
import { agentLines } from './agents.js';
import { durationForm, readMs, type Flag } from './arguments/flag.js';
import { readHubChoice, watchFlags, type HubChoice } from './arguments/hub-flags.js';
import { readArgs } from './arguments/read-args.js';
import type { Command, Description } from './command.js';
import { activityBetween, takeReading, type Activity, type Reading } from './hub/take-reading.js';
import { openLiveScreen } from './show/live-screen.js';
import { paint } from './show/paint.js';
import { printJson, printLines } from './show/print.js';
import { shortTime } from './show/short-time.js';
import { cutTo } from './show/text-width.js';

const everyMsMin = 100;

const flags: readonly Flag[] = [
  {
    ...{ name: 'every', value: 'TIME', help: 'how often to look (1s)', allowed: `${durationForm}; at least 100ms` },
    read: (value) => ((readMs(value) ?? 0) >= everyMsMin ? readMs(value) : undefined),
  },
  { name: 'once', help: 'one look, also on a terminal' },
  ...watchFlags,
];

const description: Description = {
  usage: '[options]',
  about: [
    'Shows presence, unread mail and throughput, live; q ends it. In a pipe, with',
    '--once or with --json it prints one look.',
  ],
  flags,
  examples: [
    { line: 'coterie top', does: 'live' },
    { line: 'coterie top --session team-b --every 5s', does: 'another session, less often' },
    { line: 'coterie top --json | jq .activity.pending', does: 'one look, for a program' },
  ],
};

/** Between the two readings of a single look: long enough to see a flow, short enough to wait for. */
const lookMs = 500;
const everyMsStandard = 1_000;

export const top: Command = {
  describe: () => description,
  async run(argv) {
    const { own } = readArgs(argv, { command: 'top', flags });
    const choice = readHubChoice(own);
    if (own.has('json') || own.has('once') || !process.stdout.isTTY) {
      await lookOnce(choice, own.has('json'));
      return 0;
    }
    await watch(choice, readMs(own.get('every') ?? '') ?? everyMsStandard);
    return 0;
  },
};

async function lookOnce(choice: HubChoice, isJson: boolean): Promise<void> {
  const before = await takeReading(choice);
  await sleep(lookMs);
  const after = await takeReading(choice);
  const activity = activityBetween(before, after);
  const session = choice.session ?? 'default';
  if (isJson) await printJson({ url: after.url, session, activity, agents: after.agents });
  else await printLines([...headLines(after, activity, session), '', ...agentLines(sorted(after.agents))]);
}

async function watch(choice: HubChoice, everyMs: number): Promise<void> {
  let before = await takeReading(choice);
  const screen = openLiveScreen();
  const redraw = { lines: [paint('dim', 'Looking …')] };
  const draw = () => screen.draw(redraw.lines);
  process.stdout.on('resize', draw);
  try {
    draw();
    while (!screen.ended.aborted) {
      await sleep(Math.min(everyMs, lookMs), undefined, { signal: screen.ended }).catch(() => {});
      if (screen.ended.aborted) break;
      const after = await takeReading(choice).catch((error: unknown) => {
        if (lostOutcomeOf(error) === undefined) throw error;
        return undefined;
      });
      if (after === undefined)
        redraw.lines = [
          paint('red', 'The hub does not answer. Going on when it is back; q ends it.'),
          ...redraw.lines.slice(1),
        ];
      else redraw.lines = screenLines(after, activityBetween(before, after), choice);
      before = after ?? before;
      draw();
      await sleep(Math.max(0, everyMs - lookMs), undefined, { signal: screen.ended }).catch(() => {});
    }
  } finally {
    process.stdout.off('resize', draw);
    screen.close();
  }
}

function screenLines(reading: Reading, activity: Activity, choice: HubChoice): string[] {
  const { columns, rows } = process.stdout;
  const head = headLines(reading, activity, choice.session ?? 'default');
  const table = agentLines(sorted(reading.agents), columns);
  const room = Math.max(2, rows - head.length - 2);
  const more = table.length > room ? [paint('dim', `… and ${table.length - room + 1} more`)] : [];
  return [...head, '', ...table.slice(0, more.length === 0 ? room : room - 1), ...more];
}

const ms = (mean: number | null) => (mean === null ? '–' : `${mean} ms`);
const per = (count: number) => `${count}/s`;

const program = 'coterie top';

function headLines({ url, agents }: Reading, activity: Activity, session: string): string[] {
  const here = presences.map((presence) => `${countOf(agents, presence)} ${presence}`).join(', ');
  const width = process.stdout.isTTY ? process.stdout.columns : 1_000;
  const rows: [string, string][] = [
    ['agents', here],
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
  const where = cutTo(`  ${url}  session ${session}  ${shortTime(new Date().toISOString())}`, width - program.length);
  return [
    `${paint('bold', program)}${where}`,
    ...rows.map(([title, text]) => `${paint('dim', title.padEnd(8))}${cutTo(text, width - 8)}`),
  ];
}

function countOf(agents: readonly AgentView[], presence: Presence): number {
  return agents.filter((agent) => agent.presence === presence).length;
}

/** Those that need a look first: unread mail, then by presence. */
function sorted(agents: readonly AgentView[]): AgentView[] {
  return agents.toSorted(
    (a, b) =>
      (b.unread ?? 0) - (a.unread ?? 0) ||
      presences.indexOf(a.presence) - presences.indexOf(b.presence) ||
      a.id.localeCompare(b.id),
  );
}
