// Sent = pending + delivered + read + expired + dead-lettered, always. Reads a whole session through the hub's doors and
// compares what the receipts say with what the hub counts: a copy that is nowhere, or in two places, shows.
import { readFeed, readReceipts, type TruthReceipt } from '../fault/truth.js';
import { call } from './http-call.js';
import { metric } from './metrics.js';

const states = ['pending', 'delivered', 'read', 'expired', 'dead_lettered'] as const;

export type Standing = Record<(typeof states)[number] | 'sent', number>;

export interface SumRuleOptions {
  /** All sessions that were used: the hub's own counts are of all of them. */
  sessions?: readonly string[];
  /** For a hub that was restarted: what it counted before is gone with it. */
  wasRestarted?: boolean;
  withinMs?: number;
}

/** Fails the test unless the rule holds. Copies may move while they are counted: it must hold in one of several looks. */
export async function expectSumRule(url: string, options: SumRuleOptions = {}): Promise<Standing> {
  const deadline = performance.now() + (options.withinMs ?? 20_000);
  for (;;) {
    const { standing, faults } = await look(url, options);
    if (faults.length === 0) return standing;
    if (performance.now() > deadline) throw new Error(`the sum rule does not hold: ${faults.join('; ')}`);
  }
}

async function look(
  url: string,
  { sessions = ['default'], wasRestarted = false }: SumRuleOptions,
): Promise<{ standing: Standing; faults: string[] }> {
  const before = await countsOf(url);
  const receipts: (TruthReceipt & { session: string })[] = [];
  const letters: (Letter & { session: string })[] = [];
  for (const session of sessions) {
    const told = await readReceipts(url, session, await readFeed(url, session));
    receipts.push(...told.map((receipt) => ({ ...receipt, session })));
    letters.push(...(await readLetters(url, session)).map((letter) => ({ ...letter, session })));
  }
  const counts = await countsOf(url);
  const standing = { sent: counts.copies } as Standing;
  for (const state of states) standing[state] = receipts.filter((receipt) => receipt.state === state).length;
  if (wasRestarted) standing.sent = receipts.length;
  const known = receipts.filter(({ state }) => states.some((name) => name === state));
  const ended = receipts.map(keyOf);
  const listed = letters.map(keyOf);
  return {
    standing,
    faults: [
      ...differ('the hub’s counts while it was read', JSON.stringify(before), JSON.stringify(counts)),
      ...differ('receipts in a state there is', receipts.length, known.length),
      ...differ('copies made, and receipts', standing.sent, receipts.length),
      ...differ('copies pending', counts.pending, standing.pending),
      ...differ('copies in doubt', counts.delivered, standing.delivered),
      ...differ('copies with a receipt twice', new Set(ended).size, ended.length),
      ...differ('dead letters listed twice', new Set(listed).size, listed.length),
      ...listed.filter((key) => !ended.includes(key)).map((key) => `dead letter ${key} has no copy that ended so`),
    ],
  };
}

type Ended = Pick<TruthReceipt, 'messageId' | 'recipient' | 'reason'> & { session: string };

const keyOf = ({ session, messageId, recipient, reason }: Ended) => [session, messageId, recipient, reason].join(' ');

function differ(what: string, one: unknown, other: unknown): string[] {
  return one === other ? [] : [`${what}: ${String(one)} and ${String(other)}`];
}

async function countsOf(url: string): Promise<{ copies: number; pending: number; delivered: number }> {
  const [copies, pending, delivered] = await Promise.all([
    metric(url, 'coterie_copies_total'),
    metric(url, 'coterie_deliveries{state="pending"}'),
    metric(url, 'coterie_deliveries{state="delivered"}'),
  ]);
  return { copies, pending, delivered };
}

interface Letter {
  id: string;
  messageId: string;
  recipient: string;
  reason: string;
}

/** All of them, page by page. */
export async function readLetters(url: string, session: string, limit = 50): Promise<Letter[]> {
  const letters: Letter[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await call(
      url,
      'get_dead_letters',
      { limit, ...(cursor === undefined ? {} : { cursor }) },
      { session },
    );
    letters.push(...page.deadLetters);
    if (page.cursor === null) return letters;
    cursor = page.cursor;
  }
}
