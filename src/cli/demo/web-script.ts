// What the team of `coterie demo --web` says, in two threads at once. A line that mentions someone wakes them.
import type { ContentBlock } from '../../contract/content-block.js';

export const team = {
  ada: 'plans the release and decides with you',
  ben: 'writes code and notes',
  cleo: 'reviews',
  dora: 'runs the tests',
} as const;

export type Member = keyof typeof team;

export const threads = {
  release: { title: 'Release 1.4', by: 'ada', others: ['ben', 'cleo', 'dora'] },
  build: { title: 'Nightly build is red', by: 'dora', others: ['ben'] },
} as const satisfies Record<string, { title: string; by: Member; others: readonly Member[] }>;

export type ThreadName = keyof typeof threads;

export interface Line {
  readonly by: Member;
  readonly in: ThreadName;
  readonly type: 'DIRECTIVE' | 'QUERY' | 'RESULT' | 'STATUS';
  readonly says: string | readonly ContentBlock[];
}

const testRun = { type: 'tool_use', id: 'run-1', name: 'run_tests', input: { only: 'import', times: 20 } } as const;

export const beforeQuestion: readonly Line[] = [
  { by: 'ada', in: 'release', type: 'DIRECTIVE', says: '@ben please draft the notes for 1.4. @dora is main green?' },
  { by: 'dora', in: 'build', type: 'QUERY', says: '@ben `import` fails once in twenty runs since your last change.' },
  {
    by: 'ben',
    in: 'build',
    type: 'STATUS',
    says: [
      { type: 'thinking', thinking: 'Once in twenty smells like two writers of one file. The cache is written twice.' },
      { type: 'text', text: 'Looking. I suspect the cache: two writers, one file.' },
    ],
  },
  {
    by: 'ben',
    in: 'release',
    type: 'RESULT',
    says: '@cleo a first draft:\n\n- **New:** import resumes where it stopped\n- **Fixed:** three crashes on empty files\n- **Breaking:** `port` is now `listen`',
  },
  {
    by: 'cleo',
    in: 'release',
    type: 'RESULT',
    says: '@ben good. The breaking change needs a line on how to migrate.',
  },
  {
    by: 'ben',
    in: 'build',
    type: 'RESULT',
    says: '@dora fixed: the file is written under another name, then renamed.\n\n```ts\nawait writeFile(`${path}.new`, text);\nawait rename(`${path}.new`, path);\n```',
  },
  {
    by: 'dora',
    in: 'build',
    type: 'RESULT',
    says: [
      testRun,
      { type: 'tool_result', toolUseId: testRun.id, output: '20 passed, 0 failed, 41.2 s' },
      { type: 'text', text: '@ben 20 of 20. Thank you.' },
    ],
  },
  { by: 'ben', in: 'release', type: 'RESULT', says: '@cleo added: "Rename `port` to `listen` in your config."' },
  { by: 'dora', in: 'release', type: 'STATUS', says: '@ada main is green again.' },
  { by: 'cleo', in: 'release', type: 'RESULT', says: '@ada approved, ready to publish.' },
];

export const question = {
  question: 'Publish 1.4 now?',
  context: 'Main is green and the notes are approved. It has one breaking change: `port` is now `listen`.',
  options: ['Publish now', 'Wait until Monday', 'As a release candidate'],
} as const;

/** While the question waits. */
export const meanwhile: readonly Line[] = [
  { by: 'ada', in: 'release', type: 'STATUS', says: 'I asked whether to publish now. Until then nothing goes out.' },
  { by: 'dora', in: 'build', type: 'STATUS', says: 'I keep the nightly build under watch.' },
];

export const buildSummary =
  'Two writers of one cache file; it is now written beside it and renamed. 20 of 20 runs pass.';

export function afterAnswer(answer: string): readonly Line[] {
  return [
    { by: 'ada', in: 'release', type: 'DIRECTIVE', says: `The answer is: ${answer}. @ben please go by that.` },
    { by: 'ben', in: 'release', type: 'RESULT', says: '@ada done.' },
  ];
}

export function releaseSummary(answer: string): string {
  return `Notes drafted by ben, reviewed by cleo, tests by dora. Decided: ${answer}`;
}

export const scripted =
  'I only follow a script, but your message reached me and woke me. Connect a real agent: coterie connect';
