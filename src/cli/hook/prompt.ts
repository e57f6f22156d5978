// A permission prompt of a client, and what a person decided.
import type { SignalAnswer, ToolCall } from '../../contract/signal/signal.js';

/** What a client's hook is told. */
export interface Prompt {
  call: ToolCall;
  /** The client's log of the conversation, where a decision at the terminal shows up. */
  transcript?: string;
  /** What "for this session" would allow, in words; absent where the client has no such form. */
  sessionScope?: string;
  /** The form that goes with it. */
  sessionRule?: unknown;
}

export type Decision = { behavior: 'allow' } | { behavior: 'allow-session' } | { behavior: 'deny'; message: string };

/** The options of a prompt, in this order. The third is left out where the client cannot do it. */
export const choices = ['Allow', 'Deny', 'Allow for this session'] as const;

/** Free text alone is no permission: the model is told what the person wrote, as with the client's own "No, and …". */
export function decisionOf({ option, response }: SignalAnswer, optionCount: number): Decision | undefined {
  if (option !== null && option > optionCount) return undefined;
  if (option === 1) return { behavior: 'allow' };
  if (option === 3) return { behavior: 'allow-session' };
  if (option !== null && option !== 2) return undefined;
  const said = response.trim();
  const isBare = said === '' || said === choices[1];
  return { behavior: 'deny', message: isBare ? 'Denied by the person who was asked.' : said };
}
