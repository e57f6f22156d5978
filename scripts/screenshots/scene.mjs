// What the pictures show: a small team on its way to a release, asking the person who runs it.

export const person = 'sam';

/** In the order in which they happen; the newest stands first in most lists. */
export const history = [
  {
    agent: 'ben',
    ask: { question: 'Deploy 2.3.9 to staging?', options: ['Yes', 'No'], projectId: 'checkout' },
    answer: { option: 1 },
  },
  {
    agent: 'cleo',
    ask: { question: 'Keep the old price column?', options: ['Drop it', 'Until November'], projectId: 'checkout' },
    answer: { option: 2 },
  },
  {
    agent: 'dora',
    ask: { question: 'May I rename the `api` folder?', options: ['Yes', 'No'], projectId: 'checkout' },
    decline: { reason: 'Ask after the release.' },
  },
  { agent: 'eli', ask: { question: 'Use the second region for backups?', options: ['Yes', 'No'], ttl: 1 } },
  {
    agent: 'cleo',
    ask: { question: 'Merge the notes without a review?', options: ['Merge', 'Wait'] },
    cancel: { reason: 'dora has reviewed them.' },
  },
];

/** Earlier questions of the one that is shown alone, oldest first. */
export const chain = [
  { question: 'Is a short outage possible today?', options: ['Yes', 'No'], response: 'Yes, if under a minute' },
  { question: 'Should customers be told?', options: ['Yes', 'No'], option: 2 },
];

export const migration = {
  question: 'The migration locks `orders` for about 40 seconds. When should it run?',
  options: ['Now', 'Tonight at 22:00', 'Not this week'],
  context: `Adding the column rewrites the table. I ran it five times on a copy of production:

- 8.1 million rows
- lock held **38 to 43 seconds**
- checkout answers \`503\` meanwhile

\`\`\`sql
ALTER TABLE orders
  ADD COLUMN settled_at timestamptz NOT NULL
    DEFAULT now();
\`\`\`

Without the lock it takes two releases.`,
  projectId: 'checkout',
  threadId: 'orders-migration',
  ttl: 36 * 60,
};

export const refund = {
  question: 'What should the change log call the new refund flow?',
  threadId: 'release-2.4',
};

export const alerts = [
  ['ada', 'info', 'I start on ticket 318 now.'],
  ['ben', 'success', 'Backup restored on the copy. 41 GB, 9 minutes.'],
  ['eli', 'warning', 'The certificate of `staging.example` ends in 6 days.'],
  ['dora', 'error', 'Nightly build failed. 3 of 412 tests: `refund.partial`, `refund.twice`, `tax.rounding`.'],
];

export const mail = [
  ['ben', 'The fixture loads in 4 s now. It was 31 s. I changed nothing else.'],
  ['eli', 'الترجمة العربية جاهزة للمراجعة في الفرع rtl-checkout، وبقي سؤالان فقط.'],
  ['cleo', 'The notes are drafted. Two entries have no owner.'],
];

/** What Claude Code tells a PermissionRequest hook. */
export const permission = {
  hook_event_name: 'PermissionRequest',
  session_id: 'release',
  cwd: '/work/checkout/api',
  tool_name: 'Bash',
  tool_input: {
    command: [
      './bin/testdb drop --all --force',
      './bin/testdb load fixtures/orders.sql fixtures/customers.sql',
      'for shard in 1 2 3 4; do',
      '  npm run test:e2e -- --shard="$shard/4" --retries=0',
      'done',
      'rm -rf tmp/fixtures',
    ].join('\n'),
    description: 'Reset the test database, then run all four shards.',
  },
};
