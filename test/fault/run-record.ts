// A run, put in order for the checks: calls with their outcomes, sends by uid, sightings by copy.
import type { CallArguments, HistoryEvent, SeenCopy } from './history.js';
import type { Truth, TruthMessage } from './truth.js';

export interface Call {
  process: string;
  hub: string;
  operation: string;
  args: CallArguments;
  invokedUs: number;
  /** Infinity when the process died before it knew. */
  endedUs: number;
  outcome: 'ok' | 'fail' | 'unknown';
  code?: string;
  /** Why the outcome is unknown. */
  reason?: string;
  result: NonNullable<HistoryEvent['result']>;
  copies: SeenCopy[];
}

/** All tries of one message. */
export interface Send {
  uid: string;
  key: string | undefined;
  args: CallArguments;
  outcome: Call['outcome'];
  code?: string;
  firstInvokedUs: number;
  /** Infinity when no try was answered. */
  firstOkUs: number;
  /** What the answers said; more than one when a retry made a second message. */
  ids: Set<string>;
  seq: number | undefined;
}

/** One time that a client had one copy before it. */
export interface Sighting {
  agent: string;
  copy: SeenCopy;
  call: Call;
}

/** A time in which a hub could not do its work, by what was done to it. */
export interface Outage {
  /** Its address; of all of them when left out. */
  hub?: string;
  fromUs: number;
  untilUs: number;
}

export interface RunRecord {
  truth: Truth;
  outages: readonly Outage[];
  sends: Map<string, Send>;
  reads: Call[];
  /** By copyKey, each list in the order of time. */
  sightings: Map<string, Sighting[]>;
  /** What each follower was told, in its order, and after which seq it began. */
  feeds: { process: string; after: number; copies: SeenCopy[] }[];
  byId: Map<string, TruthMessage>;
  byUid: Map<string, TruthMessage[]>;
}

export const copyKey = (agent: string, messageId: string): string => `${agent}\n${messageId}`;

const readOperations = new Set(['wait_for_mentions', 'get_messages']);

export interface Run {
  histories: readonly HistoryEvent[][];
  truth: Truth;
  outages?: readonly Outage[];
}

export function recordRun({ histories, truth, outages = [] }: Run): RunRecord {
  const calls = histories.flatMap((history) => (isFeed(history) ? [] : callsOf(history)));
  const reads = calls.filter(({ operation }) => readOperations.has(operation));
  return {
    truth,
    outages,
    sends: sendsOf(calls.filter(({ args }) => args.uid !== undefined)),
    reads,
    sightings: sightingsOf(reads),
    feeds: histories.filter(isFeed).map(feedOf),
    byId: new Map(truth.messages.map((message) => [message.id, message])),
    byUid: groupBy(
      truth.messages.filter(({ uid }) => uid !== undefined),
      ({ uid }) => uid ?? '',
    ),
  };
}

function isFeed(history: readonly HistoryEvent[]): boolean {
  return history[0]?.operation === 'feed';
}

function feedOf(history: readonly HistoryEvent[]): RunRecord['feeds'][number] {
  const [first] = history;
  const copies = history.flatMap((event) => event.copies ?? []);
  return { process: first?.process ?? '', after: first?.args?.after ?? 0, copies };
}

function callsOf(history: readonly HistoryEvent[]): Call[] {
  const calls = new Map<number, Call>();
  for (const event of history) {
    if (event.type === 'invoke') calls.set(event.call, openCall(event));
    else {
      const call = calls.get(event.call);
      if (call === undefined) throw new Error(`${event.process}: call ${event.call} ended and never began`);
      Object.assign(call, { outcome: event.type, endedUs: event.atUs, copies: event.copies ?? [] });
      if (event.result !== undefined) call.result = event.result;
      if (event.code !== undefined) call.code = event.code;
      if (event.reason !== undefined) call.reason = event.reason;
    }
  }
  return [...calls.values()];
}

function openCall({ process, hub, operation, args, atUs }: HistoryEvent): Call {
  const fresh = { outcome: 'unknown' as const, endedUs: Number.POSITIVE_INFINITY, result: {}, copies: [] };
  return { process, hub, operation, args: args ?? {}, invokedUs: atUs, ...fresh };
}

function sendsOf(calls: readonly Call[]): Map<string, Send> {
  const sends = new Map<string, Send>();
  for (const [uid, tries] of groupBy(calls, ({ args }) => args.uid ?? '')) {
    const oks = tries.filter(({ outcome }) => outcome === 'ok');
    const refusal = refusalOf(tries);
    const args: CallArguments = tries[0]?.args ?? {};
    sends.set(uid, {
      uid,
      key: args.key,
      args,
      outcome: oks.length > 0 ? 'ok' : refusal === undefined ? 'unknown' : 'fail',
      ...(refusal?.code === undefined ? {} : { code: refusal.code }),
      firstInvokedUs: Math.min(...tries.map(({ invokedUs }) => invokedUs)),
      firstOkUs: Math.min(...oks.map(({ endedUs }) => endedUs)),
      ids: new Set(oks.flatMap(({ result }) => (result.id === undefined ? [] : [result.id]))),
      seq: oks[0]?.result.seq,
    });
  }
  return sends;
}

/** A store that cannot be reached speaks of one try only: what became of those before it is as unknown as it was. */
function refusalOf(tries: readonly Call[]): Call | undefined {
  const refusals = tries.filter(({ outcome }) => outcome === 'fail');
  const isAnyUnknown = tries.some(({ outcome }) => outcome === 'unknown');
  return refusals.find(({ code }) => code !== 'STORE_UNAVAILABLE') ?? (isAnyUnknown ? undefined : refusals[0]);
}

function sightingsOf(reads: readonly Call[]): Map<string, Sighting[]> {
  const all = reads.flatMap((call) => call.copies.map((copy) => ({ agent: call.args.agent ?? '', copy, call })));
  const inTime = all.toSorted((a, b) => a.call.endedUs - b.call.endedUs);
  return groupBy(inTime, ({ agent, copy }) => copyKey(agent, copy.id));
}

export function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
