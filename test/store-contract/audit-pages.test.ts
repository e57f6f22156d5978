// A filtered read of a long audit log is bounded by what it examines, not by what it finds.
import { afterEach, expect, it } from 'vitest';
import { readAudit } from '../../dist/access/audit-pages.js';
import { limits, setLimits } from '../../dist/contract/limits.js';
import { cliAudit } from '../support/cli-audit.js';
import { openStore } from './stores.js';

const given = { ...limits };
afterEach(() => setLimits(given));

const sessionId = 'default';
const everything = { sessionId, actor: null, act: null, since: null, until: null, before: null };

/** Every hundredth is rare. */
async function openWith(count: number) {
  // Before it is opened: the reader's thread on SQLite gets the limits then.
  setLimits({ auditExamined: 10 });
  const opened = await openStore();
  for (let index = 0; index < count; index += 1) {
    await opened.store.appendAudit({ ...cliAudit(sessionId), act: index % 100 === 0 ? 'rare' : 'common', at: index });
  }
  return opened;
}

it('examines a bounded number of entries, and says where to go on', async () => {
  const opened = await openWith(101);
  const { store } = opened;
  const rare = { ...everything, act: 'rare', limit: 5 };
  const first = await store.listAudit(rare);
  expect(first.entries.map(({ at }) => at)).toEqual([100]);
  const second = await store.listAudit({ ...rare, before: first.next });
  expect(second.entries).toEqual([]);
  expect(second.next).toBeLessThan(first.next ?? 0);
  // A page that is full goes on after its last entry.
  const page = await store.listAudit({ ...everything, limit: 4 });
  expect([page.entries.length, page.next]).toEqual([4, page.entries.at(-1)?.id]);
  await opened.close();
});

it('several reads find what one does not, each entry once, to the end', async () => {
  const opened = await openWith(150);
  const rare = await readAudit(opened.store, { ...everything, act: 'rare', limit: 5 });
  expect([rare.entries.map(({ at }) => at), rare.next]).toEqual([[100, 0], null]);
  const all: number[] = [];
  let before: number | null = null;
  do {
    const page = await readAudit(opened.store, { ...everything, act: 'common', limit: 7, before });
    all.push(...page.entries.map(({ at }) => at));
    before = page.next;
  } while (before !== null);
  expect(all).toHaveLength(148);
  expect(new Set(all).size).toBe(148);
  await opened.close();
});

it('ends after a bounded number of reads, with an empty page and the place to go on', async () => {
  const opened = await openWith(230);
  const none = await readAudit(opened.store, { ...everything, act: 'never', limit: 5 });
  expect(none.entries).toEqual([]);
  expect(none.next).not.toBeNull();
  const rest = await readAudit(opened.store, { ...everything, act: 'never', limit: 5, before: none.next });
  expect(rest).toEqual({ entries: [], next: null });
  await opened.close();
});
