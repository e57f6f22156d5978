// Channels and quiet hours as text.
import type { ChannelView, PersonPrefs } from '../signal/channel.js';
import { inLine } from './in-line.js';

export function channelText({ id, kind, label, person, lastOkAt, fault, faultAt }: ChannelView): string {
  const state =
    fault === undefined
      ? lastOkAt === undefined
        ? 'not used yet'
        : `worked ${inLine(lastOkAt)}`
      : `FAULT ${inLine(`${faultAt}: ${fault}`)}`;
  return `${inLine(`${id} ${kind} ${label} of ${person}`)}, ${state}`;
}

export function prefsText({ quietHours }: PersonPrefs): string {
  if (quietHours === null) return 'No quiet hours.';
  const { from, to, timeZone } = quietHours;
  return `Quiet hours: ${inLine(`${from} to ${to}, ${timeZone}`)}. What is of high priority is still sent.`;
}
