// A group as callers see it.
import { z } from 'zod';

export const groupView = z.looseObject({
  name: z.string(),
  members: z.array(z.string()),
  /** Members that no agent is registered as: they receive once one is. Left out when there are none. */
  unknownMembers: z.array(z.string()).optional(),
});

export type GroupView = z.infer<typeof groupView>;
