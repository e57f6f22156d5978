// What sending does, in words, and the name that is being written. Functions of their arguments alone.
import type { Member } from '../../data/team.js';

const named = /@([A-Za-z0-9][A-Za-z0-9._-]{0,63})/g;
const listedMax = 5;

export interface Written {
  text: string;
  /** The other members of the thread. */
  others: readonly string[];
  /** The sender of the message that it answers. */
  replyTo: string | undefined;
  members: ReadonlyMap<string, Member>;
}

export function effectOf({ text, others, replyTo, members }: Written): string {
  const mentioned = new Set([...text.matchAll(named)].map(([, id = '']) => id.replace(/[._-]{1,64}$/, '')));
  const woken = others.filter((id) => mentioned.has(id) || id === replyTo);
  if (others.length === 0) return 'No one else is in this thread.';
  if (woken.length === 0) return 'No one is woken. Mention someone with @ to wake them.';
  const away = woken.filter((id) => members.get(id)?.presence === 'offline');
  const [first] = away;
  const wake = first === undefined ? undefined : members.get(first)?.wake?.text;
  const later =
    first === undefined
      ? ''
      : wake === undefined
        ? ` ${listed(away)} ${away.length === 1 ? 'is' : 'are'} offline and read it later.`
        : ` ${first}: ${wake}.`;
  const rest = others.length - woken.length;
  const lookers = rest === 0 ? '' : ` ${rest === 1 ? 'One other reads' : `${rest} others read`} it at the next look.`;
  return `Wakes ${listed(woken)}.${later}${lookers}`;
}

function listed(ids: readonly string[]): string {
  const shown = ids.slice(0, listedMax);
  const more = ids.length - shown.length;
  if (more > 0) return `${shown.join(', ')} and ${more} more`;
  return shown.length === 1 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1) ?? ''}`;
}

/** What stands after the last @, if it is at the end of the text. */
export function startedMention(text: string): string | undefined {
  return /(?:^|[\s(])@([A-Za-z0-9._-]{0,63})$/.exec(text)?.[1];
}

export function insertMention(text: string, id: string): string {
  return `${text.slice(0, text.lastIndexOf('@'))}@${id} `;
}
