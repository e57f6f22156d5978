// Which tables hold sessions' data, and which statements look at all sessions at once.

const tables = [
  'agent',
  'agent_group',
  'thread',
  'member',
  'critical_thread',
  'critical_answer',
  'message',
  'attachment',
  'attachment_use',
  'message_word',
  'word_mark',
  'pending',
  'delivery',
  'dead_letter',
  'notify_prefs',
  'notify_template',
  'idempotency',
  'audit',
  'channel',
  'push',
  'signal',
  'signal_recipient',
  'person_prefs',
  'wake_agent',
  'wake_route',
  'wake',
  'wake_attempt',
  'escalation',
];

/** What runs on every part of a database that is spread out: at a start, once a second, or when someone looks. */
export const maintenance = [
  'agents that can be woken',
  'audit entries past their days',
  'copies past their time',
  'ends that will be told',
  'escalations that are due',
  'imports that were given up',
  'inboxes that are being ended',
  'inboxes to file',
  'keys whose day is over',
  'leases that ran out',
  'leases that ran out for good',
  'numbers for operators',
  'people who have devices',
  'pushes that are due',
  'pushes that wait',
  'questions past their time',
  'sessions whose words are missing',
  'wake routes that are gone',
  'wakes that are open',
  'what was verified in open mode',
  'who was seen lately',
];

/** Its name, for a statement that says it is one of maintenance. */
export function maintenanceNameOf(sql: string): string | undefined {
  return /\/\* all sessions: (.*?) \*\//.exec(sql)?.[1];
}

/** The tables of sessions' data that the statement reaches without naming the session. */
export function tablesWithoutSession(sql: string): string[] {
  const text = sql.replaceAll(/--.*$/gm, '');
  if (/^\s*(create|alter|drop|comment)\b/i.test(text) || maintenanceNameOf(text) !== undefined) return [];
  const mentions = [...text.matchAll(/\b(?:from|join|update|into|using)\s+([a-z_]+)(?:\s+(?:as\s+)?([a-z_]+))?/gi)];
  return mentions.flatMap(([, table = '', alias]) => {
    if (!tables.includes(table)) return [];
    return isNamed(text, table, alias) ? [] : [table];
  });
}

const notAliases = new Set([
  'where',
  'set',
  'order',
  'on',
  'join',
  'left',
  'cross',
  'values',
  'select',
  'limit',
  'for',
  'using',
]);

function isNamed(text: string, table: string, given: string | undefined): boolean {
  const alias = given === undefined || notAliases.has(given.toLowerCase()) ? table : given;
  const qualified = new RegExp(`\\b${alias}\\.session_id\\b`, 'i');
  // A statement with one table, or an insert's list of columns, need not say whose column it is.
  const isOnlyOne = [...text.matchAll(/\b(?:from|join|update|into)\s+[a-z_]+/gi)].length === 1;
  const inserted = new RegExp(`into\\s+${table}\\s*\\([^)]*\\bsession_id\\b`, 'i');
  const bare = new RegExp(`(?:from|update)\\s+${table}\\b[^;]*?\\bwhere\\b[^;]*?(?<![.\\w])session_id\\b`, 'i');
  return qualified.test(text) || inserted.test(text) || bare.test(text) || (isOnlyOne && /\bsession_id\b/.test(text));
}
