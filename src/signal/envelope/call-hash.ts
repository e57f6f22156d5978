// Binds a decision to one tool call. The hook that asks and the page that shows the call both compute it.
import type { ToolCall } from '../../contract/signal/signal.js';

/** SHA-256 in hex, over the call's parts as one JSON array, which no other call has. */
export async function callHash({ tool, cwd, input }: ToolCall): Promise<string> {
  const bytes = new TextEncoder().encode(`coterie/call\0${JSON.stringify([tool, cwd, input])}`);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
