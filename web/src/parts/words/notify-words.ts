// The app's words for what wakes a member. Functions of their arguments alone.
import type { NotifyPrefs } from '../../../../src/contract/notify.js';

export type MutableKind = NotifyPrefs['muteKinds'][number];

/** "when …" */
export const kindWords: Readonly<Record<MutableKind, string>> = {
  created: 'it is put in a new thread',
  added: 'it is added to a thread',
  joined: 'it has joined a thread',
  member_joined: 'someone else joins',
  closed: 'a thread is closed',
  reopened: 'a thread is reopened',
};

export function prefsInWords({ quiet, muteKinds, muteThreads, followThreads, ...digest }: NotifyPrefs): string {
  const kinds = muteKinds.map((kind) => kindWords[kind]);
  return [
    `${quiet ? 'Only urgent messages' : 'Mentions, replies, direct and urgent messages'} wake it.`,
    kinds.length === 0 ? 'It gets all notices.' : `It gets no notice when ${either(kinds)}.`,
    ...(muteThreads.length === 0 ? [] : [`${threads(muteThreads)} muted.`]),
    ...(followThreads.length === 0 ? [] : [`${threads(followThreads)} followed.`]),
    digestInWords(digest),
  ].join(' ');
}

function digestInWords({ digestCount, digestMinutes }: Pick<NotifyPrefs, 'digestCount' | 'digestMinutes'>): string {
  const cases = [
    ...(digestCount === 0 ? [] : [`there are more than ${digestCount}`]),
    ...(digestMinutes === 0 ? [] : [`the oldest has waited ${digestMinutes} min`]),
  ];
  if (cases.length === 0) return 'Unread notices come one by one, never as a digest.';
  return `Unread notices come as one digest when ${either(cases)}.`;
}

function threads(ids: readonly string[]): string {
  return ids.length === 1 ? '1 thread is' : `${ids.length} threads are`;
}

function either(cases: readonly string[]): string {
  return cases.length < 2 ? cases.join('') : `${cases.slice(0, -1).join(', ')} or ${cases.at(-1)}`;
}
