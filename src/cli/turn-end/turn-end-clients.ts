// The clients whose hooks may go on with a turn at its end, and the form of each: what it sends, what it expects back.
import { z } from 'zod';

export interface TurnEnd {
  /** For the name of an agent that has none: the client's own. */
  readonly client: string;
  readonly session: string;
  readonly folder: string | undefined;
  /** How often this turn was continued by hooks; `unknown` if the client only says that it was. */
  readonly continued: number | 'unknown';
  /** The JSON for stdout that continues the turn with a text. */
  write(text: string): unknown;
}

const common = z.object({ session_id: z.string().default(''), cwd: z.string().optional() });
const active = { stop_hook_active: z.boolean().default(false) };

/** Claude Code and Codex. */
const stop = common.extend({ hook_event_name: z.literal('Stop'), ...active });
const gemini = common.extend({ hook_event_name: z.literal('AfterAgent'), ...active });
const cursor = z.object({
  hook_event_name: z.literal('stop'),
  conversation_id: z.string().default(''),
  workspace_roots: z.array(z.string()).default([]),
  /** A turn that was aborted, or failed, is not continued. */
  status: z.literal('completed').default('completed'),
  loop_count: z.int().min(0).default(0),
});

const block = (reason: string) => ({ decision: 'block', reason });

/** Undefined if this is not the end of a turn: the end of a subagent's, for example, or of one that was aborted. */
export function turnEndIn(input: unknown): TurnEnd | undefined {
  const blocking = stop.or(gemini).safeParse(input).data;
  if (blocking !== undefined) {
    const { session_id: session, cwd: folder, stop_hook_active: isActive } = blocking;
    const client = blocking.hook_event_name === 'Stop' ? 'claude' : 'gemini';
    return { client, session, folder, continued: isActive ? 'unknown' : 0, write: block };
  }
  const following = cursor.safeParse(input).data;
  if (following === undefined) return undefined;
  return {
    client: 'cursor',
    session: following.conversation_id,
    folder: following.workspace_roots[0],
    continued: following.loop_count,
    write: (text) => ({ followup_message: text }),
  };
}
