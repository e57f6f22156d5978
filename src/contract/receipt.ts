// The state of one copy of a message, as its sender sees it.
import { z } from 'zod';
import { copyStates, deadReasons } from './message.js';
import { attemptLine, attemptView } from './wake.js';
import { inLine } from './text/in-line.js';

export const receipt = z.looseObject({
  recipient: z.string(),
  state: z.enum(copyStates),
  at: z.string(),
  attempts: z.number(),
  deliveredAt: z.string().optional(),
  /** For the opening message of a critical thread: when this recipient first answered. */
  answeredAt: z.string().optional(),
  reason: z.enum(deadReasons).optional(),
  /** Attempts to wake the recipient that announced this copy, oldest first. */
  wakes: z.array(attemptView).optional(),
});

export type ReceiptView = z.infer<typeof receipt>;

export function receiptLine({ recipient, state, at, reason, answeredAt, wakes = [] }: ReceiptView): string {
  const why = reason === undefined ? '' : ` (${reason})`;
  const answered = answeredAt === undefined ? '' : `, answered ${answeredAt}`;
  return [
    inLine(`${recipient} ${state} ${at}${why}${answered}`),
    ...wakes.map((wake) => `  ${attemptLine(wake)}`),
  ].join('\n');
}
