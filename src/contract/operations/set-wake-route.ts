import { z } from 'zod';
import { oneOf, text } from '../fields.js';
import { limited } from '../input/schema-limits.js';
import { limits } from '../limits.js';
import { defineOperation } from '../operation.js';
import { inLine } from '../text/in-line.js';
import { companionId, wakeKinds } from '../wake.js';

const confirmRange = { error: () => `must be 1000 to ${limits.wakeConfirmMs} milliseconds` };

export const setWakeRoute = defineOperation({
  name: 'set_wake_route',
  summary:
    'Say how you can be woken while you are idle. For the companion program on your machine, which then calls await_wake.',
  access: 'read',
  caller: 'required',
  callerField: 'agentId',
  doesNotCount: true,
  input: z.object({
    kind: oneOf(wakeKinds),
    label: text('nameChars').default('').describe('Shown to others'),
    clientSession: text('nameChars').optional().describe('The session of the client that is woken'),
    companion: companionId.optional().describe('Names this run of the companion; not for a webhook'),
    position: z.int().min(0).max(1_000).default(0).describe('Routes are tried in this order'),
    confirmMs: limited(
      z.int(confirmRange).refine((given) => given >= 1_000 && given <= limits.wakeConfirmMs, confirmRange),
      { maximum: 'wakeConfirmMs' },
    )
      .default(60_000)
      .describe('Time to confirm; then the next route is tried'),
    wakesPerHour: z.int().min(1).max(1_000).optional().describe('Less than the hub allows'),
    quietMs: z.int().min(0).max(86_400_000).optional().describe('More than the hub demands'),
    once: z.boolean().default(false).describe('Used up by one wake'),
    replace: z.boolean().default(false).describe('Take over from another companion'),
    url: z.string().min(1).max(2_048).optional().describe('webhook only; its host must be allowed by the operator'),
  }),
  output: z.looseObject({
    success: z.boolean(),
    routeId: z.string(),
    /** The route is gone if no await_wake renews it in this time; 0 for a webhook, which has no companion. */
    leaseMs: z.number(),
    warnings: z.array(z.string()),
    /** Of a webhook: verifies the signature of its requests. */
    secret: z.string().optional(),
  }),
  effect: 'changes',
  inDefaultProfile: false,
  text: ({ routeId, warnings, secret }) =>
    [
      `Wake route ${routeId} is set.`,
      ...(secret === undefined ? [] : [`Its requests are signed with: ${secret}`]),
      ...warnings,
    ]
      .map(inLine)
      .join('\n'),
});
