// Questions beyond the newest that the store holds: one by its link, or a page of the history.
import { computed, signal } from '@preact/signals';
import { openQuestion } from '../device/open.js';
import { call, Refused } from './api.js';
import { over, questions, type Question } from './store.js';
import type { QuestionView } from './types.js';

const pageSize = 50;

const older = signal<ReadonlyMap<string, Question>>(new Map());
/** Where the next page begins; null when there is none, undefined before the first. */
const cursor = signal<string | null | undefined>(undefined);

export const hasOlder = computed(() => cursor.value !== null);

/** Everything that is over, as far as it was read. */
export const history = computed(() => {
  const held = new Set(questions.value.map(({ id }) => id));
  const others = [...older.value.values()].filter(({ id, status }) => !held.has(id) && status !== 'pending');
  return [...over.value, ...others.toSorted((a, b) => (a.askedAt < b.askedAt ? 1 : -1))];
});

export function findQuestion(id: string): Question | undefined {
  return questions.value.find((question) => question.id === id) ?? older.value.get(id);
}

interface Page {
  questions: QuestionView[];
  cursor: string | null;
}

/** Whether the hub has it for this person. */
export async function readQuestion(questionId: string): Promise<boolean> {
  try {
    const page = await call<Page>('list_questions', { questionId, forMe: true });
    await hold(page.questions);
    return page.questions.length > 0;
  } catch (error) {
    if (error instanceof Refused && error.status < 500) return false;
    throw error;
  }
}

export async function readOlder(): Promise<void> {
  const from = cursor.value;
  if (from === null) return;
  const page = await call<Page>('list_questions', {
    forMe: true,
    limit: pageSize,
    ...(from === undefined ? {} : { cursor: from }),
  });
  await hold(page.questions);
  cursor.value = page.cursor;
}

async function hold(views: readonly QuestionView[]): Promise<void> {
  const opened = await Promise.all(views.map(async (view) => ({ ...view, opened: await openQuestion(view) })));
  older.value = new Map([...older.value, ...opened.map((question) => [question.id, question] as const)]);
}
