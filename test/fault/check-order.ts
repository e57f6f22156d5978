// Checks about order and time: seq follows real time without gaps, feeds and threads tell the same story, inboxes are
// in order, waits do not sleep through a message.
import type { Finding } from './checker.js';
import type { SeenCopy } from './history.js';
import { groupBy, type Call, type Outage, type RunRecord, type Send } from './run-record.js';

const lateUs = 2_000_000;
/** A hub or a database that is back has so long to find its way. */
const recoveryUs = 5_000_000;
/** A call its client has given up may be alive at the hub for as long as the hub may doubt it. */
const lingerUs = 3_000_000;
/** A hub that dies or stands still leaves leases behind that end by themselves. */
const leftLeaseUs = 11_000_000;
const rankNormal = 2;

/** Dense from 1; and a send answered before another was invoked has the smaller seq. */
export function* checkSeqs({ truth, sends }: RunRecord): Generator<Finding> {
  for (const [index, { seq, id }] of truth.messages.entries()) {
    const before = truth.messages[index - 1]?.seq ?? 0;
    if (seq !== before + 1) yield { fault: 'seqGap', sentence: `${id} has seq ${seq} and follows seq ${before}.` };
  }
  const answered = [...sends.values()].filter(({ seq }) => seq !== undefined);
  const byAnswer = answered.toSorted((a, b) => a.firstOkUs - b.firstOkUs);
  let place = 0;
  let latest: Send | undefined;
  for (const send of answered.toSorted((a, b) => a.firstInvokedUs - b.firstInvokedUs)) {
    for (; (byAnswer[place]?.firstOkUs ?? Number.POSITIVE_INFINITY) < send.firstInvokedUs; place++) {
      const ended = byAnswer[place];
      if ((ended?.seq ?? 0) > (latest?.seq ?? 0)) latest = ended;
    }
    if (latest?.seq === undefined || send.seq === undefined || send.seq > latest.seq) continue;
    const told = `${latest.uid} had seq ${latest.seq} before ${send.uid} was sent`;
    yield { fault: 'orderViolation', sentence: `${told}, which got seq ${send.seq}.` };
  }
}

/** get_thread shows of each thread what the feed shows of it. */
export function* checkThreads({ truth }: RunRecord): Generator<Finding> {
  const fromFeed = groupBy(
    truth.messages.filter(({ threadId }) => threadId !== undefined),
    ({ threadId }) => threadId ?? '',
  );
  for (const threadId of new Set([...fromFeed.keys(), ...Object.keys(truth.threads)])) {
    const fed = (fromFeed.get(threadId) ?? []).map(({ seq }) => seq);
    const shown = truth.threads[threadId] ?? [];
    const different = differences(fed, shown);
    if (different.length === 0) continue;
    const sentence = `thread ${threadId} and the feed do not agree on seq ${different.slice(0, 5).join(', ')}.`;
    yield { fault: 'threadMismatch', sentence };
  }
}

/** Each follower was told exactly X, each message once, in order. */
export function* checkFeeds({ feeds, truth, byId }: RunRecord): Generator<Finding> {
  for (const { process, after, copies } of feeds) {
    let last = after;
    const told = new Set<number>();
    for (const { id, seq } of copies) {
      if (seq <= last) yield { fault: 'feedMismatch', sentence: `${process} was told seq ${seq} after seq ${last}.` };
      if (byId.get(id)?.seq !== seq)
        yield { fault: 'feedMismatch', sentence: `${process} was told of ${id}, which is not seq ${seq}.` };
      last = Math.max(last, seq);
      told.add(seq);
    }
    for (const { seq, id } of truth.messages) {
      if (seq <= after || told.has(seq)) continue;
      yield { fault: 'feedMismatch', sentence: `${process} was never told of ${id}, seq ${seq}.` };
    }
  }
}

/**
 * Within an answer everything is in inbox order, redelivered or not. From answer to answer what has no mark: once a reader
 * has an answer, its later calls get unmarked only what comes after it, or what was not there yet. Calls that were open at
 * the same time are not compared: either may have been served first.
 */
export function* checkInboxOrder({ reads, sends }: RunRecord): Generator<Finding> {
  for (const [agent, calls] of groupBy(reads, ({ args }) => args.agent ?? '')) {
    for (const { copies, process } of calls) {
      const places = copies.map(({ rank = rankNormal, seq }) => rank * 1e12 + seq);
      if (places.every((place, index) => index === 0 || place > (places[index - 1] ?? 0))) continue;
      const order = copies.map(({ seq }) => seq).join(', ');
      yield { fault: 'orderViolation', sentence: `${process} was handed seq ${order} in one answer.` };
    }
    yield* checkUnmarkedOrder(agent, calls, sends);
  }
}

/** What a reader was handed unmarked, of one rank, by answers that it had at some moment. */
interface Handed {
  seqMax: number;
  /** When the last call began that handed out such a copy. */
  invokedUs: number;
}

function* checkUnmarkedOrder(agent: string, calls: readonly Call[], sends: RunRecord['sends']): Generator<Finding> {
  // A call that wanted only some of the inbox says nothing about what it left there.
  const whole = calls.filter(({ args }) => args.for !== 'mentions' && args.threadId === undefined);
  const byEnd = whole.filter(({ copies }) => copies.length > 0).toSorted((a, b) => a.endedUs - b.endedUs);
  const handed = new Map<number, Handed>();
  let place = 0;
  for (const call of calls.toSorted((a, b) => a.invokedUs - b.invokedUs)) {
    for (; (byEnd[place]?.endedUs ?? Number.POSITIVE_INFINITY) <= call.invokedUs; place++) note(handed, byEnd[place]);
    for (const { seq, uid, rank = rankNormal } of unmarkedOf(call)) {
      const storedUs = sends.get(uid ?? '')?.firstOkUs ?? Number.POSITIVE_INFINITY;
      const passed = [...handed].find(([other, { seqMax, invokedUs }]) => {
        return other >= rank && (seqMax > seq || (other > rank && invokedUs > storedUs));
      });
      if (passed === undefined) continue;
      const [other, { seqMax }] = passed;
      const sentence = `${agent} was handed seq ${seq} of rank ${rank} unmarked after rank ${other} up to seq ${seqMax}.`;
      yield { fault: 'orderViolation', sentence };
    }
  }
}

function note(handed: Map<number, Handed>, call: Call | undefined): void {
  if (call === undefined) return;
  for (const { seq, rank = rankNormal } of unmarkedOf(call)) {
    const before = handed.get(rank);
    handed.set(rank, {
      seqMax: Math.max(before?.seqMax ?? 0, seq),
      invokedUs: Math.max(before?.invokedUs ?? 0, call.invokedUs),
    });
  }
}

function unmarkedOf({ copies }: Call): SeenCopy[] {
  return copies.filter(({ redelivered }) => redelivered !== true);
}

/**
 * A wait that is open when a message for it is committed answers with it. Late is a wait that timed out all the same,
 * if it was the agent's only one, and a message without a mark that came with a wait open for long.
 */
export function* checkWaits({ reads, sends, outages }: RunRecord): Generator<Finding> {
  // What expires by itself may be gone before the wait could have it.
  const lasting = [...sends.values()].filter(({ outcome, args }) => outcome === 'ok' && args.ttlMs === undefined);
  const addressed = lasting.flatMap((send) => (send.args.to ?? []).map((agent) => ({ agent, send })));
  const sendsTo = groupBy(addressed, ({ agent }) => agent);
  for (const [agent, calls] of groupBy(reads, ({ args }) => args.agent ?? '')) {
    for (const wait of calls.filter(isOpenWait)) {
      yield* checkLateCopies(wait, sends, outages);
      if (wait.result.timedOut !== true || !isLone(wait, calls, outages)) continue;
      const slept = (sendsTo.get(agent) ?? []).find(
        ({ send }) => send.firstInvokedUs > wait.invokedUs && isLate(wait, send.firstOkUs, outages),
      )?.send;
      if (slept === undefined) continue;
      const ms = Math.round(openTimeUs(wait, slept.firstOkUs) / 1000);
      yield { fault: 'lateWait', sentence: `${wait.process} timed out ${ms} ms after ${slept.uid} had been accepted.` };
    }
  }
}

function* checkLateCopies(wait: Call, sends: RunRecord['sends'], outages: readonly Outage[]): Generator<Finding> {
  for (const { uid, redelivered } of wait.copies) {
    const send = redelivered || uid === undefined ? undefined : sends.get(uid);
    if (send === undefined || send.firstOkUs === Number.POSITIVE_INFINITY) continue;
    if (!isLate(wait, send.firstOkUs, outages)) continue;
    const ms = Math.round(openTimeUs(wait, send.firstOkUs) / 1000);
    yield {
      fault: 'lateWait',
      sentence: `${wait.process} was handed ${uid} after ${ms} ms in which it waited for it.`,
    };
  }
}

/** How long the wait was open after this moment; no longer than the hub held it, for the client may be short of breath. */
function openTimeUs(wait: Call, sinceUs: number): number {
  const { waitedMs = Number.POSITIVE_INFINITY } = wait.result;
  return Math.min(wait.endedUs - Math.max(wait.invokedUs, sinceUs), waitedMs * 1000);
}

/** Without the time in which its hub could do nothing; and later where there was trouble at all. */
function isLate(wait: Call, sinceUs: number, outages: readonly Outage[]): boolean {
  const openUs = openTimeUs(wait, sinceUs);
  if (openUs <= lateUs) return false;
  const fromUs = Math.max(wait.invokedUs, sinceUs);
  const near = outages.filter((outage) => outage.untilUs + recoveryUs > fromUs && outage.fromUs < wait.endedUs);
  if (near.length === 0) return true;
  const own = near.filter(({ hub }) => hub === undefined || hub === wait.hub);
  const outUs = own.map((outage) => Math.min(outage.untilUs, wait.endedUs) - Math.max(outage.fromUs, fromUs));
  const idleUs = outUs.reduce((sum, us) => sum + Math.max(0, us), 0);
  return openUs - idleUs > lateUs + recoveryUs;
}

const isOpenWait = ({ operation, outcome, args }: Call): boolean =>
  operation === 'wait_for_mentions' && outcome === 'ok' && args.for === 'all';

function isLone(wait: Call, calls: readonly Call[], outages: readonly Outage[]): boolean {
  return calls.every((other) => {
    if (other === wait) return true;
    const lingersUntilUs = other.outcome === 'ok' ? other.endedUs : goneUs(other, outages);
    return lingersUntilUs <= wait.invokedUs || other.invokedUs >= wait.endedUs;
  });
}

/** When nothing is left at its hub of a call whose answer no one saw. */
function goneUs({ hub, endedUs, invokedUs }: Call, outages: readonly Outage[]): number {
  const own = outages.filter((outage) => {
    const isOwn = outage.hub === undefined || outage.hub === hub;
    return isOwn && outage.fromUs < endedUs + lingerUs && outage.untilUs > invokedUs;
  });
  return Math.max(endedUs + lingerUs, ...own.map(({ untilUs }) => untilUs + leftLeaseUs));
}

function differences(one: readonly number[], other: readonly number[]): number[] {
  const inOne = new Set(one);
  const inOther = new Set(other);
  const apart = [...one.filter((seq) => !inOther.has(seq)), ...other.filter((seq) => !inOne.has(seq))];
  if (apart.length > 0) return apart;
  return one.filter((seq, index) => seq !== other[index]);
}
