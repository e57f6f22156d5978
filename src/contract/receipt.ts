// The state of one copy of a message, as its sender sees it.
import { z } from 'zod';
import { copyStates, deadReasons } from './message.js';

export const receipt = z.looseObject({
  recipient: z.string(),
  state: z.enum(copyStates),
  at: z.string(),
  attempts: z.number(),
  deliveredAt: z.string().optional(),
  /** For the opening message of a critical thread: when this recipient first answered. */
  answeredAt: z.string().optional(),
  reason: z.enum(deadReasons).optional(),
});

export type ReceiptView = z.infer<typeof receipt>;

export function receiptLine({ recipient, state, at, reason, answeredAt }: ReceiptView): string {
  const why = reason === undefined ? '' : ` (${reason})`;
  const answered = answeredAt === undefined ? '' : `, answered ${answeredAt}`;
  return `${recipient} ${state} ${at}${why}${answered}`;
}
