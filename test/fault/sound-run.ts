// The record of a run without faults, and what the checker finds after one change to it.
import { checkRun, faults, type Fault } from './checker.js';
import type { CallArguments, HistoryEvent, SeenCopy } from './history.js';
import type { Truth } from './truth.js';

export const secondUs = 1_000_000;

/** Two sends to bob and one refused, all read by bob with one call each; times in microseconds. */
export function soundRun(): { histories: HistoryEvent[][]; truth: Truth } {
  return {
    histories: [
      [
        ...send({ call: 1, uid: 'a', seq: 1, from: 1_000, until: 2_000 }),
        ...send({ call: 2, uid: 'b', seq: 2, from: 3_000, until: 4_000 }),
        event('ann', 3, 'send_message', { type: 'invoke', atUs: 5_000, args: { uid: 'c', key: 'c', to: ['bob'] } }),
        event('ann', 3, 'send_message', { type: 'fail', atUs: 6_000, code: 'FORBIDDEN' }),
      ],
      [
        ...wait({ call: 1, from: 500, until: 2_500, copies: [copy('a', 1)] }),
        ...wait({ call: 2, from: 2_600, until: 4_500, copies: [copy('b', 2)] }),
      ],
      [
        event('tail', 1, 'feed', { type: 'invoke', atUs: 0, args: { after: 0 } }),
        event('tail', 1, 'feed', { type: 'ok', atUs: 2_100, copies: [copy('a', 1)] }),
        event('tail', 1, 'feed', { type: 'ok', atUs: 4_100, copies: [copy('b', 2)] }),
      ],
    ],
    truth: {
      messages: [
        { id: 'm-a', seq: 1, uid: 'a', sender: 'ann', threadId: 't' },
        { id: 'm-b', seq: 2, uid: 'b', sender: 'ann', threadId: 't' },
      ],
      receipts: ['m-a', 'm-b'].map((messageId) => ({ messageId, recipient: 'bob', state: 'read' })),
      threads: { t: [1, 2] },
      recent: { bob: ['m-a', 'm-b'] },
    },
  };
}

type EventFields = Pick<HistoryEvent, 'type' | 'atUs'> & Partial<HistoryEvent>;

export function event(process: string, call: number, operation: string, fields: EventFields): HistoryEvent {
  return { process, call, operation, hub: 'hub', ...fields };
}

export const copy = (uid: string, seq: number, more: Partial<SeenCopy> = {}): SeenCopy => ({
  id: `m-${uid}`,
  uid,
  seq,
  ...more,
});

export function send(given: {
  call: number;
  uid: string;
  seq: number;
  from: number;
  until: number;
  args?: CallArguments;
}): HistoryEvent[] {
  const { call, uid, seq, from, until } = given;
  const args = { uid, key: uid, to: ['bob'], ...given.args };
  return [
    event('ann', call, 'send_message', { type: 'invoke', atUs: from, args }),
    event('ann', call, 'send_message', { type: 'ok', atUs: until, result: { id: `m-${uid}`, seq } }),
  ];
}

export function wait(given: {
  call: number;
  from: number;
  until: number;
  copies: SeenCopy[];
  args?: CallArguments;
  process?: string;
}): HistoryEvent[] {
  const { call, from, until, copies, process = 'bob' } = given;
  const args: CallArguments = { agent: 'bob', for: 'all', ack: 'auto', ...given.args };
  return [
    event(process, call, 'wait_for_mentions', { type: 'invoke', atUs: from, args }),
    event(process, call, 'wait_for_mentions', {
      type: 'ok',
      atUs: until,
      copies,
      result: { timedOut: copies.length === 0 },
    }),
  ];
}

type Run = ReturnType<typeof soundRun>;

/** The faults of a sound run after one change. */
export function faultsAfter(
  change: (run: Run & { ann: HistoryEvent[]; bob: HistoryEvent[]; tail: HistoryEvent[] }) => void,
): Partial<Record<Fault, number>> {
  const run = soundRun();
  const [ann = [], bob = [], tail = []] = run.histories;
  change({ ...run, ann, bob, tail });
  const { counts } = checkRun({ ...run, seed: 1 });
  const found = (Object.keys(faults) as Fault[]).filter((fault) => counts[fault] > 0);
  return Object.fromEntries(found.map((fault) => [fault, counts[fault]]));
}
