// What a sender is told about its message: whom it reaches, who is woken by it, and what it may have meant otherwise.
import type { Presence } from '../../contract/agent.js';
import { everyoneGroup, threadIdPattern } from '../../contract/ids.js';
import { nearestIds } from '../../contract/input/nearest.js';
import type { sendMessage as contract } from '../../contract/operations/send-message.js';
import type { OutputOf } from '../../contract/operation.js';
import { nameList } from '../../contract/text/name-list.js';
import type { AgentWake } from '../../contract/wake.js';
import { plainPostWarning } from '../../contract/text/render-sent.js';
import type { Appended, SendPlan } from '../../ports/store.js';
import type { CopyHint } from '../../ports/wakeup.js';

export interface ReachPorts {
  presenceOf: (sessionId: string, agentId: string) => Presence;
  /** Whether this hub knows the agent as registered, without asking the store. */
  isKnown: (sessionId: string, agentId: string) => boolean;
  /** Those of them that are people. Asks the store for those that this hub does not know. */
  peopleAmong: (sessionId: string, ids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Whether a wait is parked now that takes this copy, at this hub or, as far as known, at another. */
  isAwaited: (hint: CopyHint) => boolean;
  /** How the agent is woken otherwise; undefined if it never had a wake route. From memory. */
  nextWakeOf: (sessionId: string, agentId: string, presence: Presence) => AgentWake | undefined;
  /** The two agents only wake each other in turns. */
  isInWakeLoop: (sessionId: string, sender: string, agentId: string) => boolean;
}

type Sent = OutputOf<typeof contract>;

/** Call it before the waits are signalled. A message that was sent before wakes no one. */
export function reachOf(ports: ReachPorts, { sessionId }: SendPlan, appended: Appended): Sent['recipients'] {
  const { seq, threadId, sender, isInterrupt, duplicate } = appended;
  const reached = appended.recipients.map(({ id, isWaking }) => {
    const presence = ports.presenceOf(sessionId, id);
    const woken =
      !duplicate && ports.isAwaited({ sessionId, agentId: id, seq, threadId, sender, isWaking, isInterrupt });
    const wake = woken || !isWaking ? undefined : ports.nextWakeOf(sessionId, id, presence);
    return { id, state: 'pending' as const, presence, woken, ...(wake === undefined ? {} : { wake }) };
  });
  return [
    // First, because a long list is cut.
    ...reached.filter(({ woken }) => woken),
    ...reached.filter(({ woken }) => !woken),
    ...appended.undelivered.map((id) => ({
      id,
      state: 'dead_lettered' as const,
      presence: ports.presenceOf(sessionId, id),
      woken: false,
    })),
  ];
}

export async function describeSent(
  ports: ReachPorts,
  plan: SendPlan,
  { appended, recipients }: { appended: Appended; recipients: Sent['recipients'] },
): Promise<Sent> {
  const { target } = plan;
  const { threadId, sender, droppedMentions, duplicate } = appended;
  const lost = recipients.filter(isLost).map(({ id }) => id);
  // A person reads in the app, and needs no route. The message is stored: its answer must not fail for a warning.
  const people = lost.length === 0 ? noOne : await ports.peopleAmong(plan.sessionId, lost).catch(() => noOne);
  const offline = recipients.filter((recipient) => isLost(recipient) && !people.has(recipient.id));
  return {
    success: true,
    messageId: appended.id,
    seq: appended.seq,
    threadId,
    sender,
    ...(target === null ? {} : { target, ...(recipients.some(({ id }) => id === target) ? {} : { group: true }) }),
    mentions: appended.mentions,
    recipients,
    droppedMentions,
    warnings: warningsOf(ports, plan, { appended, recipients, offline }),
    duplicate,
  };
}

const noOne: ReadonlySet<string> = new Set();

/** No route wakes it. */
function isLost({ state, presence, wake }: Sent['recipients'][number]): boolean {
  const hasRoute = wake !== undefined && wake.state !== 'none' && wake.state !== 'gone';
  return state === 'pending' && presence === 'offline' && !hasRoute;
}

function warningsOf(
  { isKnown, isInWakeLoop }: ReachPorts,
  plan: SendPlan,
  {
    appended,
    recipients,
    offline,
  }: { appended: Appended; recipients: Sent['recipients']; offline: Sent['recipients'] },
): string[] {
  const { undelivered } = appended;
  const ids = recipients.map(({ id }) => id);
  const isOutside = (id: string) => isKnown(plan.sessionId, id);
  const [droppedAgents, dropped] = partition(appended.droppedMentions, isOutside);
  const [agents, unmatched] = partition(unmatchedInText(plan, appended, ids), isOutside);
  const outside = [...droppedAgents, ...agents];
  const looping = recipients.filter(
    ({ id, wake }) => wake !== undefined && isInWakeLoop(plan.sessionId, plan.sender, id),
  );
  const isToThread = isThreadPost(plan, appended);
  const place = isToThread ? 'in the thread' : 'a recipient';
  const remedy = isToThread ? '; add_participant adds them' : '';
  return [
    ...(outside.length === 0 ? [] : [`not ${place}, so not mentioned: ${nameList(outside)}${remedy}`]),
    ...(dropped.length === 0 ? [] : [`not ${place}, so not mentioned: ${withNearest(dropped, ids)}`]),
    ...(unmatched.length === 0 ? [] : [`no member has the id: ${withNearest(unmatched, ids, '@')}`]),
    ...notWoken(offline),
    ...(looping.length === 0 ? [] : [`not woken, since you only wake each other in turns: ${idsOf(looping)}`]),
    ...recipients.flatMap(({ id, wake }) => (wake?.state === 'budget' ? [`not woken: ${id} is ${wake.text}`] : [])),
    ...(undelivered.length === 0 ? [] : [`inbox full, kept as a dead letter: ${nameList(undelivered)}`]),
    ...(recipients.length === 0 ? ['no one else is there to receive it'] : []),
    ...wakesNoOne(appended, recipients),
  ];
}

function idsOf(recipients: Sent['recipients']): string {
  return nameList(recipients.map(({ id }) => id));
}

function notWoken(offline: Sent['recipients']): string[] {
  const [gone, without] = partition(offline, ({ wake }) => wake?.state === 'gone');
  return [
    ...(without.length === 0 ? [] : [`offline, no wake route, will get it on return: ${idsOf(without)}`]),
    ...(gone.length === 0 ? [] : [`offline, wake route gone, will get it on return: ${idsOf(gone)}`]),
  ];
}

/** A reply to a message outside of any thread has neither a target nor a thread; it may inherit a label. */
function isThreadPost({ target }: SendPlan, { threadId }: Appended): boolean {
  return target === null && threadId !== null && threadIdPattern.test(threadId);
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

/** Names written after an @ that no recipient has. A message to one agent may speak of anyone. */
function unmatchedInText(plan: SendPlan, appended: Appended, ids: readonly string[]): string[] {
  const { mentionsInText, target, sender, content } = plan;
  const isToOne = target === null ? !isThreadPost(plan, appended) : ids.includes(target);
  if (mentionsInText.length === 0 || isToOne) return [];
  // `@types/node` is a package. Found in one pass: a text may have 50,000 names.
  const packages = Array.from(content.matchAll(scope), ([, name = '']) => name);
  const known = new Set([...ids, sender, everyoneGroup, ...appended.droppedMentions, ...packages]);
  return mentionsInText.filter((name) => !known.has(name));
}

const scope = /@([A-Za-z0-9][A-Za-z0-9._-]{0,63})\//g;

/** Comparing takes time, so only a few names are compared with not too many ids. */
const comparedNames = 3;
const comparedIds = 200;

function withNearest(names: readonly string[], ids: readonly string[], prefix = ''): string {
  const compared = ids.slice(0, comparedIds);
  return nameList(
    names.map((name, index) => {
      const [near] = index < comparedNames ? nearestIds(name, compared) : [];
      return `${prefix}${name}${near === undefined ? '' : ` (nearest: ${near})`}`;
    }),
  );
}

/** Whoever waits for mentions sleeps on, and whoever does not wait is not told that it is addressed. */
function wakesNoOne({ recipients: copies, duplicate }: Appended, recipients: Sent['recipients']): string[] {
  const isWaking = copies.length === 0 || copies.some((copy) => copy.isWaking);
  if (duplicate || isWaking || recipients.some(({ woken }) => woken)) return [];
  const muted = copies.filter(({ why }) => why !== 'thread').map(({ id }) => id);
  return [muted.length === 0 ? plainPostWarning : `wakes no one: muted by ${nameList(muted)}; urgent passes mutes`];
}
