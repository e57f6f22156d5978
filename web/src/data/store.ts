// What the pages show: questions, alerts and mail of the person, read from the hub again whenever it hints at a change.
import { computed, signal } from '@preact/signals';
import { openAlert, openQuestion, type Opened } from '../device/open.js';
import { afterReading } from './after-reading.js';
import { call, Refused } from './api.js';
import { me, speaker } from './hub.js';
import { keptLists } from './kept.js';
import type { Hint } from './live.js';
import type { AlertView, Message, QuestionView } from './types.js';

export type Question = QuestionView & { opened: Opened };
export type Alert = AlertView & { opened: Opened };
export type Mail = Message & { state?: string };

export interface Loading {
  /** Something was read, now or before. */
  isLoaded: boolean;
  /** When what is shown was read. */
  asOf?: number;
  error?: Refused;
}

export const loading = signal<Loading>({ isLoaded: false });
export const questions = signal<readonly Question[]>([]);
export const alerts = signal<readonly Alert[]>([]);
export const mail = signal<readonly Mail[]>([]);
/** Names of the threads that mail came in, by id. */
export const threadTitles = signal<Readonly<Record<string, string>>>({});

/** What waits for this person, the most urgent first. */
export const waiting = computed(() => questions.value.filter(({ status }) => status === 'pending').toSorted(byUrgency));
export const over = computed(() => questions.value.filter(({ status }) => status !== 'pending').toSorted(byEnd));
export const unread = computed(() => mail.value.filter(isUnread));

export function isUnread({ state }: Mail): boolean {
  return state === 'pending' || state === 'delivered';
}

function byUrgency(a: Question, b: Question): number {
  return timeOf(a.expiresAt, Infinity) - timeOf(b.expiresAt, Infinity) || timeOf(a.askedAt) - timeOf(b.askedAt) || 0;
}

function byEnd(a: Question, b: Question): number {
  return timeOf(b.answeredAt ?? b.askedAt) - timeOf(a.answeredAt ?? a.askedAt);
}

function timeOf(iso: string | undefined, missing = 0): number {
  return iso === undefined ? missing : Date.parse(iso);
}

const questionsMax = 100;
const alertsMax = 50;
const mailMax = 50;

interface Lists {
  questions: Question[];
  alerts: Alert[];
  mail: { messages: Mail[]; titles: Record<string, string> };
}

let running: Promise<void> | undefined;
let wanted = new Set<keyof Lists>();

const ofHint: Record<Hint, (keyof Lists)[]> = {
  signals: ['questions', 'alerts'],
  messages: ['mail'],
  all: ['questions', 'alerts', 'mail'],
};

/** Reads what the hint names. Hints that come while it reads lead to one more reading. */
export function refresh(hint: Hint = 'all'): Promise<void> {
  for (const list of ofHint[hint]) wanted.add(list);
  running ??= readWanted().finally(() => {
    running = undefined;
  });
  return running;
}

/** A busy session hints at every message; reading so often is enough. */
const pauseMs = 250;

async function readWanted(): Promise<void> {
  let isFirst = true;
  while (wanted.size > 0 && me.value !== undefined) {
    if (!isFirst) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    isFirst = false;
    const lists = wanted;
    wanted = new Set();
    try {
      await Promise.all([
        lists.has('questions') ? readQuestions().then((read) => (questions.value = read)) : undefined,
        lists.has('alerts') ? readAlerts().then((read) => (alerts.value = read)) : undefined,
        lists.has('mail') ? readMail() : undefined,
      ]);
      loading.value = { isLoaded: true, asOf: Date.now() };
      if (lists.has('questions')) void afterReading(questions.value, alerts.value);
    } catch (error) {
      // Without an answer the banner speaks; the next connection reads again.
      loading.value = { ...loading.value, ...(error instanceof Refused ? { error } : {}) };
      return;
    }
  }
}

async function readQuestions(): Promise<Question[]> {
  const { questions: read } = await call<{ questions: QuestionView[] }>('list_questions', {
    forMe: true,
    limit: questionsMax,
  });
  return openQuestions(read);
}

async function openQuestions(views: readonly QuestionView[]): Promise<Question[]> {
  return Promise.all(views.map(async (view) => ({ ...view, opened: await openQuestion(view) })));
}

async function readAlerts(): Promise<Alert[]> {
  const { alerts: read } = await call<{ alerts: AlertView[] }>('list_alerts', { forMe: true, limit: alertsMax });
  return openAlerts(read);
}

async function openAlerts(views: readonly AlertView[]): Promise<Alert[]> {
  return Promise.all(views.map(async (view) => ({ ...view, opened: await openAlert(view) })));
}

/** What was here at the last visit, until the hub answers. */
export async function showKept(): Promise<void> {
  const kept = await keptLists(speaker.value);
  if (kept === undefined || loading.value.isLoaded) return;
  const [keptQuestions, keptAlerts] = await Promise.all([openQuestions(kept.questions), openAlerts(kept.alerts)]);
  if (loading.value.isLoaded) return;
  questions.value = keptQuestions;
  alerts.value = keptAlerts;
  loading.value = { isLoaded: true, asOf: kept.asOf };
}

interface Inbox {
  messages: Mail[];
  threads?: { threadId: string; title?: string }[];
}

async function readMail(): Promise<void> {
  const inbox = await call<Inbox>('get_messages', { include: 'recent', limit: mailMax });
  mail.value = inbox.messages.toReversed();
  const titles = (inbox.threads ?? []).map(({ threadId, title }) => [threadId, title ?? threadId] as const);
  threadTitles.value = { ...threadTitles.value, ...Object.fromEntries(titles) };
}
