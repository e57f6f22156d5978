// The memory of answers: bounded of a caller, of one connection and in all; in turn, and given back in every way.
import { expect, it } from 'vitest';
import { AnswerRoom } from '../../dist/access/answer-room.js';
import { HubError, limits } from '../../dist/contract/index.js';
import { systemClock } from '../../dist/runtime/system-clock.js';

const caller = (agentId: string) => ({ grant: null, sessionId: 's', agentId });
const newRoom = () => new AnswerRoom(systemClock);
const sink = () => ({ connection: {}, cut: () => {} });
const codeOf = (taking: Promise<unknown>) =>
  taking.then(
    () => 'taken',
    (error: unknown) => (error instanceof HubError ? error.code : String(error)),
  );
const small = limits.pageBytes / 2;

it('bytes of one connection and of one caller are refused beyond their number, and can be taken when given back', async () => {
  const room = newRoom();
  const connection = {};
  const holds = Array.from({ length: limits.answerBytesPerConnection / small }, () =>
    room.hold({ connection, cut: () => {} }),
  );
  for (const hold of holds) {
    await hold.take(caller('a'), small);
    hold.written(small);
  }
  expect(await codeOf(room.hold({ connection, cut: () => {} }).take(caller('b'), small))).toBe('BUSY');
  for (let left = limits.answerBytesPerCaller - limits.answerBytesPerConnection; left > 0; left -= small) {
    const hold = room.hold(sink());
    await hold.take(caller('a'), small);
    hold.written(small);
  }
  expect(await codeOf(room.hold(sink()).take(caller('a'), small))).toBe('BUSY');
  expect(await codeOf(room.hold(sink()).take(caller('b'), small))).toBe('taken');
  holds[0]?.end();
  expect(await codeOf(room.hold(sink()).take(caller('a'), small))).toBe('taken');
});

it('whole pages are built two at a time, in turn', async () => {
  const room = newRoom();
  const entered: number[] = [];
  const holds = Array.from({ length: 4 }, (_, index) => {
    const hold = room.hold(sink());
    void hold.take(caller(`c${index}`), limits.pageBytes).then(() => entered.push(index));
    return hold;
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  await turn();
  expect(entered).toEqual([0, 1]);
  holds[0]?.written(10);
  await turn();
  expect(entered).toEqual([0, 1, 2]);
  holds[1]?.end();
  await turn();
  expect(entered).toEqual([0, 1, 2, 3]);
});
