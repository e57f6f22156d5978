// What a sender is told about its message: whom it reaches, who is woken by it, and what it may have meant otherwise.
import type { Presence } from '../../contract/agent.js';
import { everyoneGroup } from '../../contract/ids.js';
import { nearest } from '../../contract/nearest.js';
import type { sendMessage as contract } from '../../contract/operations/send-message.js';
import type { OutputOf } from '../../contract/operation.js';
import { nameList } from '../../contract/text/name-list.js';
import { plainPostWarning } from '../../contract/text/render-sent.js';
import type { Appended, SendPlan } from '../../ports/store.js';
import type { CopyHint } from '../../ports/wakeup.js';

export interface ReachPorts {
  presenceOf: (sessionId: string, agentId: string) => Presence;
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
    warnings: warningsOf(plan, appended, recipients),
    duplicate,
  };
}

function warningsOf(plan: SendPlan, appended: Appended, recipients: Sent['recipients']): string[] {
  const { droppedMentions: dropped, undelivered } = appended;
  const ids = recipients.map(({ id }) => id);
  const unmatched = unmatchedInText(plan, appended, ids);
  const offline = recipients.filter(({ state, presence }) => state === 'pending' && presence === 'offline');
  const place = plan.target === null ? 'in the thread' : 'a recipient';
  return [
    ...(dropped.length === 0 ? [] : [`not ${place}, so not mentioned: ${withNearest(dropped, ids)}`]),
    ...(unmatched.length === 0 ? [] : [`no member has the id: ${withNearest(unmatched, ids, '@')}`]),
    ...(offline.length === 0 ? [] : [`offline, will get it on return: ${nameList(offline.map(({ id }) => id))}`]),
    ...(undelivered.length === 0 ? [] : [`inbox full, kept as a dead letter: ${nameList(undelivered)}`]),
    ...(recipients.length === 0 ? ['no one else is there to receive it'] : []),
    ...wakesNoOne(appended, recipients),
  ];
}

/** Names written after an @ that no recipient has. A message to one agent may speak of anyone. */
function unmatchedInText(plan: SendPlan, { droppedMentions }: Appended, ids: readonly string[]): string[] {
  const { mentionsInText, target, sender, content } = plan;
  if (mentionsInText.length === 0 || (target !== null && ids.includes(target))) return [];
  // `@types/node` is a package. Found in one pass: a text may have 50,000 names.
  const packages = Array.from(content.matchAll(scope), ([, name = '']) => name);
  const known = new Set([...ids, sender, everyoneGroup, ...droppedMentions, ...packages]);
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
      const [near] = index < comparedNames ? nearest(name, compared) : [];
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
