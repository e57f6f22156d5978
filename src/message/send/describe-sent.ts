// What a sender is told about its message: whom it reaches, who is woken by it, and what it may have meant otherwise.
import type { Presence } from '../../contract/agent.js';
import { everyoneGroup, threadIdPattern } from '../../contract/ids.js';
import { nearestIds } from '../../contract/nearest.js';
import type { sendMessage as contract } from '../../contract/operations/send-message.js';
import type { OutputOf } from '../../contract/operation.js';
import { nameList } from '../../contract/text/name-list.js';
import { plainPostWarning } from '../../contract/text/render-sent.js';
import type { Appended, SendPlan } from '../../ports/store.js';
import type { CopyHint } from '../../ports/wakeup.js';

export interface ReachPorts {
  presenceOf: (sessionId: string, agentId: string) => Presence;
  /** Whether this hub knows the agent as registered, without asking the store. */
  isKnown: (sessionId: string, agentId: string) => boolean;
  /** Whether a wait is parked now that takes this copy, at this hub or, as far as known, at another. */
  isAwaited: (hint: CopyHint) => boolean;
}

type Sent = OutputOf<typeof contract>;

/** Call it before the waits are signalled. A message that was sent before wakes no one. */
export function describeSent(ports: ReachPorts, plan: SendPlan, appended: Appended): Sent {
  const { sessionId, target } = plan;
  const { threadId, sender, isInterrupt, droppedMentions, duplicate } = appended;
  const reached = appended.recipients.map(({ id, isWaking }) => ({
    id,
    state: 'pending' as const,
    presence: ports.presenceOf(sessionId, id),
    woken: !duplicate && ports.isAwaited({ sessionId, agentId: id, threadId, sender, isWaking, isInterrupt }),
  }));
  const recipients: Sent['recipients'] = [
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
    warnings: warningsOf(ports, plan, { appended, recipients }),
    duplicate,
  };
}

function warningsOf(
  { isKnown }: ReachPorts,
  plan: SendPlan,
  { appended, recipients }: { appended: Appended; recipients: Sent['recipients'] },
): string[] {
  const { undelivered } = appended;
  const ids = recipients.map(({ id }) => id);
  const isOutside = (id: string) => isKnown(plan.sessionId, id);
  const [droppedAgents, dropped] = partition(appended.droppedMentions, isOutside);
  const [agents, unmatched] = partition(unmatchedInText(plan, appended, ids), isOutside);
  const outside = [...droppedAgents, ...agents];
  const offline = recipients.filter(({ state, presence }) => state === 'pending' && presence === 'offline');
  const isToThread = isThreadPost(plan, appended);
  const place = isToThread ? 'in the thread' : 'a recipient';
  const remedy = isToThread ? '; add_participant adds them' : '';
  return [
    ...(outside.length === 0 ? [] : [`not ${place}, so not mentioned: ${nameList(outside)}${remedy}`]),
    ...(dropped.length === 0 ? [] : [`not ${place}, so not mentioned: ${withNearest(dropped, ids)}`]),
    ...(unmatched.length === 0 ? [] : [`no member has the id: ${withNearest(unmatched, ids, '@')}`]),
    ...(offline.length === 0 ? [] : [`offline, will get it on return: ${nameList(offline.map(({ id }) => id))}`]),
    ...(undelivered.length === 0 ? [] : [`inbox full, kept as a dead letter: ${nameList(undelivered)}`]),
    ...(recipients.length === 0 ? ['no one else is there to receive it'] : []),
    ...wakesNoOne(appended, recipients),
  ];
}

/** A reply to a message outside of any thread has neither a target nor a thread; it may inherit a label. */
function isThreadPost({ target }: SendPlan, { threadId }: Appended): boolean {
  return target === null && threadId !== null && threadIdPattern.test(threadId);
}

function partition(names: readonly string[], isFirst: (name: string) => boolean): [string[], string[]] {
  return [names.filter(isFirst), names.filter((name) => !isFirst(name))];
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
