import { z } from 'zod';
import { pageLimit } from '../fields.js';
import { defineOperation } from '../operation.js';
import { alertView } from '../signal/question.js';
import { inLine } from '../text/in-line.js';

export const listAlerts = defineOperation({
  name: 'list_alerts',
  summary: 'List alerts, newest first: those you sent, or that went to you; an admin sees all.',
  access: 'signal',
  caller: 'optional',
  callerField: 'agentId',
  input: z.object({
    forMe: z.boolean().optional().describe('Only yours; false: all, for an admin'),
    limit: pageLimit.default(50),
    cursor: z.string().optional(),
  }),
  output: z.looseObject({ alerts: z.array(alertView), cursor: z.string().nullable() }),
  effect: 'reads',
  inDefaultProfile: false,
  text: ({ alerts }) =>
    alerts.length === 0
      ? 'No alerts.'
      : alerts
          .map(({ id, alertType, from, sentAt, message = '(encrypted)' }) =>
            inLine(`${id} ${alertType} from ${from} ${sentAt}: ${message}`),
          )
          .join('\n'),
  next: ({ cursor }) => (cursor === null ? [] : [`More: call list_alerts with the same fields and cursor "${cursor}"`]),
});
