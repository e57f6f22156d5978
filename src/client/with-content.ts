// A `Msg` given as content becomes its blocks. Recognized by its shape: its class needs the whole contract at run time,
// which would be most of a web page's script.
import type { Msg } from '../contract/msg/msg.js';

export function withContent(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input).map(([field, value]) => [field, isMsg(value) ? value.getContent() : value]),
  );
}

function isMsg(value: unknown): value is Pick<Msg, 'getContent'> {
  return typeof value === 'object' && value !== null && 'getContent' in value && typeof value.getContent === 'function';
}
