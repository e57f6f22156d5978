// A group as callers see it.
import { z } from 'zod';

export const groupView = z.looseObject({
  name: z.string(),
  members: z.array(z.string()),
  /** Members that are not registered; they receive messages once they are. Omitted when empty. */
  unknownMembers: z.array(z.string()).optional(),
});

export type GroupView = z.infer<typeof groupView>;
