// Whose mail has waited too long. A function of its arguments alone.
import type { Member } from '../../data/team.js';

const oldMs = 10 * 60_000;
const shownMax = 5;

/** Agents whose oldest unread message waits for long, the longest first. */
export function oldMail(members: readonly Member[], now: number): Member[] {
  return members
    .filter(
      ({ kind, oldestUnread }) =>
        kind !== 'human' && oldestUnread !== undefined && now - Date.parse(oldestUnread) > oldMs,
    )
    .toSorted((a, b) => sentAt(a) - sentAt(b))
    .slice(0, shownMax);
}

function sentAt({ oldestUnread }: Member): number {
  return oldestUnread === undefined ? Infinity : Date.parse(oldestUnread);
}
