// A copy that could not be delivered, as an admin sees it.
import { z } from 'zod';
import { deadReasons, message } from './message.js';

export const deadLetterView = z.looseObject({
  id: z.string(),
  messageId: z.string(),
  recipient: z.string(),
  reason: z.enum(deadReasons),
  at: z.string(),
  message,
});

export type DeadLetterView = z.infer<typeof deadLetterView>;
