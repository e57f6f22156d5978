import { z } from 'zod';
import { pageUpTo, text } from '../fields.js';
import { isoTime } from '../iso-time.js';
import { defineOperation } from '../operation.js';
import { inLine, jsonInLine } from '../text/in-line.js';

const auditView = z.looseObject({
  id: z.number(),
  at: z.string(),
  actor: z.string().describe('The agent, or cli; empty without a name'),
  act: z.string().describe('An operation, or a command'),
  target: z.string().optional(),
  keyId: z.string().optional(),
  address: z.string().optional(),
  details: z.looseObject({}).optional(),
});

export type AuditView = z.infer<typeof auditView>;

export const listAudit = defineOperation({
  name: 'list_audit',
  summary: 'Who did which administrative act, or read the mail of others: newest first, with key and address.',
  access: 'admin',
  caller: 'optional',
  callerField: 'agentId',
  input: z.object({
    actor: text('nameChars').optional().describe('Only acts of this agent, or cli'),
    act: text('nameChars').optional().describe('Only this operation or command'),
    since: isoTime('start').optional().describe('ISO 8601'),
    until: isoTime('end').optional().describe('ISO 8601'),
    limit: pageUpTo('historyPageSize').default(50),
    cursor: z.string().optional(),
  }),
  output: z.looseObject({ entries: z.array(auditView), hasMore: z.boolean(), cursor: z.string().nullable() }),
  effect: 'reads',
  inDefaultProfile: false,
  text: ({ entries, hasMore }) => (entries.length === 0 ? none(hasMore) : entries.map(lineOf).join('\n')),
  next: ({ cursor }) => (cursor === null ? [] : [`More: call list_audit with the same fields and cursor "${cursor}"`]),
});

/** Only so many entries are examined for one answer. */
function none(hasMore: boolean): string {
  return hasMore ? 'None among the latest entries.' : 'No entries.';
}

function lineOf({ at, actor, act, target, keyId, address, details }: AuditView): string {
  const where = [keyId === undefined ? '' : `key ${keyId}`, address === undefined ? '' : `from ${address}`];
  const rest = details === undefined ? '' : jsonInLine(details);
  const parts = [at, actor === '' ? '(no name)' : actor, act, target ?? '', ...where].map(inLine);
  return [...parts, rest].filter((part) => part !== '').join(' ');
}
