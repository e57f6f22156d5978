import { z } from 'zod';
import { isoTime } from '../iso-time.js';
import { defineOperation } from '../operation.js';
import { inLine } from '../text/in-line.js';

const pairsShown = 20;
const loopsShown = 10;

export const getActivity = defineOperation({
  name: 'get_activity',
  summary: 'How many messages you may read were sent lately, by time and by pair of agents.',
  access: 'read',
  forObservers: true,
  caller: 'optional',
  callerField: 'agentId',
  input: z.object({
    since: isoTime('start').optional().describe('ISO 8601; an hour ago when left out'),
    buckets: z.int().min(1).max(240).default(60).describe('Into how many equal parts the time is divided'),
  }),
  output: z.looseObject({
    since: z.string(),
    until: z.string(),
    /** Messages and their copies in each part, oldest first. */
    sent: z.array(z.number()),
    copies: z.array(z.number()),
    /** The most talkative first; messages to very many are left out. */
    pairs: z.array(z.object({ from: z.string(), to: z.string(), messages: z.number() })),
    /** Set if there were more than one answer examines: it counts from this time on. */
    countedSince: z.string().optional(),
    /** For admins: waits that mail has woken, and how long they took then, in milliseconds. Of the last hour. */
    wakes: z
      .object({
        count: z.number(),
        p50: z.number().nullable(),
        p99: z.number().nullable(),
        parts: z.array(z.number().nullable()),
      })
      .optional(),
    /** For admins: loops that LOOP_GUARD has stopped, the latest first. */
    loops: z
      .array(
        z.object({ agents: z.array(z.string()), threadId: z.string().optional(), at: z.string(), times: z.number() }),
      )
      .optional(),
  }),
  effect: 'reads',
  inDefaultProfile: false,
  text: ({ since, until, sent, copies, pairs, wakes, loops = [] }) =>
    [
      inLine(`${sum(sent)} messages in ${sum(copies)} copies from ${since} to ${until}`),
      ...pairs.slice(0, pairsShown).map(({ from, to, messages }) => inLine(`${from} to ${to}: ${messages}`)),
      ...(wakes === undefined || wakes.count === 0
        ? []
        : [`${wakes.count} waits woken, half of them within ${wakes.p50} ms, nearly all within ${wakes.p99} ms`]),
      ...loops
        .slice(0, loopsShown)
        .map(({ agents, at, times }) => inLine(`loop stopped ${times} times, last ${at}: ${agents.join(' and ')}`)),
    ].join('\n'),
});

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
