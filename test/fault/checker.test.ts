// Each rule of the checker against a history that breaks just that rule, and one that breaks none.
import { describe, expect, it } from 'vitest';
import { checkRun, describeVerdict } from './checker.js';
import { parseHistory, type HistoryEvent, type SeenCopy } from './history.js';
import type { Outage } from './run-record.js';
import { secondUs, soundRun, event, copy, send, wait, faultsAfter } from './sound-run.js';

/** The reader's last call ends without an answer. */
function abortLast(history: HistoryEvent[] = [], reason = 'aborted'): void {
  history.splice(-1, 1, event('bob', 2, 'wait_for_mentions', { type: 'unknown', atUs: 4_500, reason }));
}

describe('the checker', () => {
  it('passes a run without faults, and counts what happened', () => {
    const verdict = checkRun({ ...soundRun(), seed: 7 });
    expect(verdict).toMatchObject({ isClean: true, violations: [], seed: 7 });
    expect(verdict.counts).toMatchObject({ messages: 2, copies: 2, handedOut: 2, ok: 2, failed: 1, unknown: 0 });
    expect(describeVerdict(verdict)).toMatch(/^seed +7\nmessages +2\n/);
  });

  it('finds a message that was accepted and is not there', () => {
    expect(
      faultsAfter(({ ann }) => ann.push(...send({ call: 9, uid: 'z', seq: 9, from: 7_000, until: 8_000 }))),
    ).toEqual({ lost: 1 });
  });

  it('finds a message that was refused and is there', () => {
    const found = faultsAfter(({ truth, tail, bob }) => {
      truth.messages.push({ id: 'm-c', seq: 3, uid: 'c', sender: 'ann' });
      truth.receipts.push({ messageId: 'm-c', recipient: 'bob', state: 'read' });
      tail.push(event('tail', 1, 'feed', { type: 'ok', atUs: 6_100, copies: [copy('c', 3)] }));
      bob.push(...wait({ call: 3, from: 5_000, until: 6_500, copies: [copy('c', 3)] }));
    });
    expect(found).toEqual({ refusedYetStored: 1 });
  });

  it('finds a message that counts as read and that no one saw', () => {
    expect(faultsAfter(({ bob }) => bob.splice(2))).toEqual({ readNeverSeen: 1, lost: 1 });
  });

  it('counts a message apart that counts as read because an abort crossed its answer', () => {
    const run = soundRun();
    abortLast(run.histories[1]);
    const verdict = checkRun({ ...run, seed: 1 });
    expect(verdict).toMatchObject({ isClean: true, counts: { crossed: 1, readNeverSeen: 0, lost: 0 } });
    expect(describeVerdict(verdict)).toMatch(/^crossed by an abort +1$/m);
  });

  it('finds it lost when the reader cannot look at it again, or when the call timed out', () => {
    const unseen = { readNeverSeen: 1, lost: 1 };
    expect(
      faultsAfter(({ bob, truth }) => {
        abortLast(bob);
        truth.recent = { bob: ['m-a'] };
      }),
    ).toEqual(unseen);
    expect(faultsAfter(({ bob }) => abortLast(bob, '-32001'))).toEqual(unseen);
  });

  it('finds a message that never came', () => {
    const found = faultsAfter(({ bob, truth }) => {
      bob.splice(2);
      truth.receipts[1] = { messageId: 'm-b', recipient: 'bob', state: 'pending' };
    });
    expect(found).toEqual({ unfinished: 1, lost: 1 });
  });

  it('finds a message that expired without having a time to live', () => {
    const found = faultsAfter(({ bob, truth }) => {
      bob.splice(2);
      truth.receipts[1] = { messageId: 'm-b', recipient: 'bob', state: 'expired', reason: 'EXPIRED' };
    });
    expect(found).toEqual({ unlawfulEnd: 1, lost: 1 });
  });

  it('lets a message expire that had a time to live', () => {
    const found = faultsAfter(({ ann, bob, truth }) => {
      bob.splice(2);
      ann.splice(2, 2, ...send({ call: 2, uid: 'b', seq: 2, from: 3_000, until: 4_000, args: { ttlMs: 1_000 } }));
      truth.receipts[1] = { messageId: 'm-b', recipient: 'bob', state: 'expired', reason: 'EXPIRED' };
    });
    expect(found).toEqual({});
  });

  it('finds a message given up although no manual lease of it had run out', () => {
    const found = faultsAfter(({ truth }) => {
      truth.receipts[1] = { messageId: 'm-b', recipient: 'bob', state: 'dead_lettered', reason: 'ATTEMPTS_EXCEEDED' };
    });
    expect(found).toEqual({ unlawfulEnd: 1 });
  });

  it('finds a copy that came twice without a mark', () => {
    expect(
      faultsAfter(({ bob }) => bob.push(...wait({ call: 3, from: 5_000, until: 6_000, copies: [copy('b', 2)] }))),
    ).toEqual({ unmarkedDouble: 1 });
  });

  it('lets a copy come again with a mark, and counts it as needless', () => {
    const run = soundRun();
    run.histories[1]?.push(
      ...wait({ call: 3, from: 5_000, until: 6_000, copies: [copy('b', 2, { redelivered: true })] }),
    );
    const verdict = checkRun({ ...run, seed: 1 });
    expect(verdict).toMatchObject({ isClean: true, counts: { needlessMarks: 1, marked: 1 } });
  });

  it('finds an attempt that was handed out twice', () => {
    const again = copy('b', 2, { redelivered: true, attempt: 2 });
    const found = faultsAfter(({ bob }) =>
      bob.push(
        ...wait({ call: 3, from: 5_000, until: 6_000, copies: [again] }),
        ...wait({ call: 4, from: 6_100, until: 7_000, copies: [again] }),
      ),
    );
    expect(found).toEqual({ repeatedAttempt: 1 });
  });

  it('finds a copy that is nowhere and one too many', () => {
    expect(faultsAfter(({ truth }) => void truth.receipts.pop())).toEqual({ sumRule: 1 });
    const doubled = faultsAfter(({ truth }) =>
      truth.receipts.push({ messageId: 'm-b', recipient: 'bob', state: 'read' }),
    );
    expect(doubled).toEqual({ sumRule: 1 });
  });

  it('finds a later send with a smaller seq', () => {
    const found = faultsAfter(({ ann, bob, tail, truth }) => {
      for (const list of [ann, bob, tail]) {
        for (const { result, copies } of list) {
          for (const numbered of [result, ...(copies ?? [])])
            if (numbered?.seq !== undefined) numbered.seq = 3 - numbered.seq;
        }
      }
      tail.splice(1, 2, event('tail', 1, 'feed', { type: 'ok', atUs: 4_100, copies: [copy('b', 1), copy('a', 2)] }));
      bob.splice(0, 4, ...wait({ call: 1, from: 500, until: 4_500, copies: [copy('b', 1), copy('a', 2)] }));
      truth.messages = truth.messages.map((message) => ({ ...message, seq: 3 - message.seq })).toReversed();
    });
    expect(found).toEqual({ orderViolation: 1 });
  });

  it('finds an answer that is not in inbox order', () => {
    const both = [copy('b', 2), copy('a', 1)];
    expect(
      faultsAfter(({ bob }) => bob.splice(0, 4, ...wait({ call: 1, from: 500, until: 4_500, copies: both }))),
    ).toMatchObject({ orderViolation: expect.any(Number) });
  });

  /** Bob gets these copies, one call after the other. */
  const inTurn = (copies: SeenCopy[]) =>
    copies.flatMap((each, index) => {
      const from = 4_200 + index * 100;
      return wait({ call: index + 1, from, until: from + 50, copies: [each] });
    });
  const handedInTurn = (...copies: SeenCopy[]) => faultsAfter(({ bob }) => bob.splice(0, 4, ...inTurn(copies)));

  it('finds an older message that comes unmarked after a newer one', () => {
    expect(handedInTurn(copy('b', 2), copy('a', 1))).toEqual({ orderViolation: 1 });
    expect(handedInTurn(copy('b', 2, { rank: 3 }), copy('a', 1))).toEqual({ orderViolation: 1 });
  });

  it('finds it also when the reader gave a call up in between', () => {
    const found = faultsAfter(({ bob }) => {
      const given = [
        event('bob', 1, 'wait_for_mentions', { type: 'invoke', atUs: 4_100, args: { agent: 'bob', for: 'all' } }),
        event('bob', 1, 'wait_for_mentions', { type: 'unknown', atUs: 4_150, reason: 'gave up' }),
      ];
      const kept = [
        ...wait({ call: 2, from: 4_200, until: 4_300, copies: [copy('b', 2)] }),
        ...wait({ call: 3, from: 4_400, until: 4_500, copies: [copy('a', 1)] }),
      ];
      bob.splice(0, 4, ...given, ...kept);
    });
    expect(found).toEqual({ orderViolation: 1 });
  });

  it('finds an urgent message that had been there when a lesser one was handed out', () => {
    expect(handedInTurn(copy('a', 1), copy('b', 2, { rank: 1 }))).toEqual({ orderViolation: 1 });
  });

  it('lets an urgent message come later that was sent later', () => {
    const found = faultsAfter(({ bob }) => {
      const [first, second] = [copy('a', 1), copy('b', 2, { rank: 1 })];
      bob.splice(0, 4, ...wait({ call: 1, from: 2_200, until: 2_500, copies: [first] }));
      bob.push(...wait({ call: 2, from: 4_200, until: 4_500, copies: [second] }));
    });
    expect(found).toEqual({});
  });

  it('lets a marked message come late, and calls that were open at the same time in any order', () => {
    expect(handedInTurn(copy('b', 2), copy('a', 1, { redelivered: true }))).toEqual({});
    const atOnce = [
      ...wait({ call: 1, from: 4_200, until: 4_300, copies: [copy('b', 2)] }),
      ...wait({ call: 2, from: 4_250, until: 4_500, copies: [copy('a', 1)] }),
    ];
    expect(faultsAfter(({ bob }) => bob.splice(0, 4, ...atOnce))).toEqual({});
  });

  it('finds a gap in seq', () => {
    const found = faultsAfter(({ ann, bob, tail, truth }) => {
      const shift = (numbered: { seq?: number } | undefined) => {
        if (numbered?.seq === 2) numbered.seq = 3;
      };
      for (const { result, copies } of [...ann, ...bob, ...tail])
        for (const each of [result, ...(copies ?? [])]) shift(each);
      for (const message of truth.messages) shift(message);
      truth.threads = { t: [1, 3] };
    });
    expect(found).toEqual({ seqGap: 1 });
  });

  it('finds a feed that skips a message, and one that repeats it', () => {
    expect(faultsAfter(({ tail }) => void tail.pop())).toEqual({ feedMismatch: 1 });
    const again = event('tail', 1, 'feed', { type: 'ok', atUs: 4_200, copies: [copy('b', 2)] });
    expect(faultsAfter(({ tail }) => tail.push(again))).toEqual({ feedMismatch: 1 });
  });

  it('finds a thread that does not show what the feed shows', () => {
    expect(faultsAfter(({ truth }) => void truth.threads['t']?.pop())).toEqual({ threadMismatch: 1 });
  });

  it('finds a key that made two messages', () => {
    const found = faultsAfter(({ bob, tail, truth }) => {
      truth.messages.push({ id: 'm-b2', seq: 3, uid: 'b', sender: 'ann' });
      truth.receipts.push({ messageId: 'm-b2', recipient: 'bob', state: 'read' });
      const twin = { id: 'm-b2', uid: 'b', seq: 3 };
      tail.push(event('tail', 1, 'feed', { type: 'ok', atUs: 6_100, copies: [twin] }));
      bob.push(...wait({ call: 3, from: 5_000, until: 6_500, copies: [twin] }));
    });
    expect(found).toEqual({ duplicateKey: 1 });
  });

  it('finds a lone wait that slept through a message', () => {
    const found = faultsAfter(({ bob }) =>
      bob.splice(
        2,
        2,
        ...wait({ call: 2, from: 2_600, until: 3 * secondUs, copies: [] }),
        ...wait({ call: 3, from: 4 * secondUs, until: 4 * secondUs + 10, copies: [copy('b', 2)] }),
      ),
    );
    expect(found).toEqual({ lateWait: 1 });
  });

  it('finds a wait that was handed a message long after it could have been', () => {
    expect(
      faultsAfter(({ bob }) =>
        bob.splice(2, 2, ...wait({ call: 2, from: 2_600, until: 3 * secondUs, copies: [copy('b', 2)] })),
      ),
    ).toEqual({ lateWait: 1 });
  });

  it('lets a wait be late by the time in which its hub could do nothing, and no later', () => {
    const run = soundRun();
    run.histories[1]?.splice(2, 2, ...wait({ call: 2, from: 2_600, until: 9 * secondUs, copies: [copy('b', 2)] }));
    const outage = { fromUs: 1_000, untilUs: 5 * secondUs };
    const lateWaits = (outages: Outage[]) => checkRun({ ...run, outages, seed: 1 }).counts.lateWait;
    expect(lateWaits([])).toBe(1);
    expect(lateWaits([outage])).toBe(0);
    expect(lateWaits([{ ...outage, untilUs: secondUs }])).toBe(1);
    // It was another's: that is worth the time of recovery only.
    expect(lateWaits([{ ...outage, hub: 'elsewhere' }])).toBe(1);
  });

  it('takes the word of a store that cannot be reached for one try only', () => {
    const stored = (outcomes: HistoryEvent['type'][]) =>
      faultsAfter(({ ann, bob, tail, truth }) => {
        ann.splice(4);
        const args = { uid: 'c', key: 'c', to: ['bob'] };
        for (const [index, type] of outcomes.entries()) {
          ann.push(
            event('ann', index + 3, 'send_message', { type: 'invoke', atUs: 5_000, args }),
            event('ann', index + 3, 'send_message', { type, atUs: 5_500, code: 'STORE_UNAVAILABLE' }),
          );
        }
        truth.messages.push({ id: 'm-c', seq: 3, uid: 'c', sender: 'ann' });
        truth.receipts.push({ messageId: 'm-c', recipient: 'bob', state: 'read' });
        tail.push(event('tail', 1, 'feed', { type: 'ok', atUs: 6_100, copies: [copy('c', 3)] }));
        bob.push(...wait({ call: 3, from: 5_000, until: 6_500, copies: [copy('c', 3)] }));
      });
    expect(stored(['fail'])).toEqual({ refusedYetStored: 1 });
    expect(stored(['unknown', 'fail'])).toEqual({});
  });

  it('takes a call whose process died as unknown, and half a line as not written', () => {
    const lines = soundRun().histories[0]?.map((each) => JSON.stringify(each)) ?? [];
    const text = `${lines.slice(0, 3).join('\n')}\n${lines[3]?.slice(0, 20)}`;
    const run = soundRun();
    run.histories[0] = parseHistory(text);
    expect(checkRun({ ...run, seed: 1 }).counts).toMatchObject({ ok: 1, unknown: 1 });
  });
});
