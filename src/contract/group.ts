// A group as callers see it.
import { z } from 'zod';

export const groupView = z.looseObject({
  name: z.string(),
  members: z.array(z.string()),
  /** How many members a model is not shown. */
  moreMembers: z.number().optional(),
  /** Members that are not registered; they receive messages once they are. Omitted when empty. */
  unknownMembers: z.array(z.string()).optional(),
  moreUnknownMembers: z.number().optional(),
});

export type GroupView = z.infer<typeof groupView>;
