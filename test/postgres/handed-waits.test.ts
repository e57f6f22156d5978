// Handing a message to a parked wait on a database: it costs no further question, and a lost answer loses nothing.
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../dist/contract/operations/index.js';
import { planSend } from '../../dist/message/send/send.js';
import type { HandedOver, LeaseRequest, Store, WaitTurn } from '../../dist/ports/store.js';
import { HandOver } from '../../dist/store/postgres/inbox/hand-over.js';
import { openPostgresStore } from '../../dist/store/postgres/postgres-store.js';
import type { Tx } from '../../dist/store/postgres/connection/transaction.js';
import type { Planned } from '../../dist/store/postgres/send/plan-batch.js';
import { DatabaseDoor } from '../fault/database-door.js';
import { eventually } from '../support/eventually.js';
import { openCaller } from '../support/open-caller.js';
import { tempFolder } from '../support/temp-folder.js';
import { databaseOf } from '../support/test-database.js';

const sessionId = 'default';
const handed: HandedOver[] = [];
let door: DatabaseDoor;
let store: Store;
/** Past the door. */
let direct: Client;

beforeAll(async () => {
  const url = (await databaseOf(tempFolder())) ?? '';
  door = await DatabaseDoor.open(url);
  direct = new Client(url);
  await direct.connect();
  const clock = { now: () => Date.now(), monotonic: () => performance.now() };
  const waits = { clock, onHanded: (each: readonly HandedOver[]) => void handed.push(...each) };
  store = await openPostgresStore({ url: door.url, waits, onBatch() {}, onNotices() {}, onBug: console.error });
  const nothing = { name: null, description: null, capabilities: null, owner: 'open', at: 1, onlyIfMissing: false };
  for (const id of ['ann', 'ben']) await store.registerAgent({ sessionId, id, ...nothing });
});
afterAll(async () => {
  await store.close();
  door.close();
  await direct.end();
});

function send(content: string) {
  const input = operations.sendMessage.input.parse({ target: 'ben', content });
  return store.appendMessage(planSend(openCaller(sessionId, 'ann'), input, Date.now()));
}

function read(token: string, wait: WaitTurn) {
  const lease = { token, wait, isManual: false, now: Date.now(), monotonicNow: 0, leaseMs: 10_000, tokensMax: null };
  return store.leaseCopies({ sessionId, agentId: 'ben', filter: { wakingOnly: true }, limit: 10, ...lease });
}

it('a send to a parked wait is one question, as any other', async () => {
  await send('before');
  await read('w0', 'first');
  await read('w1', 'first');
  const original = Reflect.get(Client.prototype, 'query') as (...given: unknown[]) => unknown;
  const asked: string[] = [];
  Reflect.set(Client.prototype, 'query', function collect(this: Client, ...given: unknown[]) {
    const [first] = given;
    asked.push(typeof first === 'string' ? first : ((first as { text?: string }).text ?? ''));
    return Reflect.apply(original, this, given);
  });
  try {
    await send('one');
  } finally {
    Reflect.set(Client.prototype, 'query', original);
  }
  expect(asked.map((text) => /append_messages|lease_for_waits/g.test(text))).toEqual([true]);
  expect(handed.map(({ token }) => token)).toEqual(['w1']);
});

it('what was leased by a batch whose answer was lost is found by the wait that it was leased for', async () => {
  handed.length = 0;
  await read('w2', 'first');
  const silent = door.fallSilentAt('only once', 'answers');
  const sent = send('only once');
  await silent;
  const leased = "select 1 from pending where lease_token = 'w2'";
  await eventually('it is stored and leased', async () => (await direct.query(leased)).rows.length === 1);
  door.heal(0);
  expect(await sent).toHaveProperty('appended');
  const { copies } = await read('w2', 'again');
  expect(copies).toMatchObject([{ message: { content: [{ text: 'only once' }] } }]);
  expect(handed).toEqual([]);
});

describe('waits are served in the order they came', () => {
  const filter = { wakingOnly: true };
  const request = (token: string, extra: Partial<LeaseRequest> = {}): LeaseRequest => {
    const lease = { isManual: false, now: 0, monotonicNow: 0, leaseMs: 10_000, tokensMax: null, limit: 10 };
    return { sessionId, agentId: 'ben', filter, token, wait: 'first', ...lease, ...extra };
  };
  const nothing = { copies: [], hasMore: false, threads: [], unread: 0 };
  // The part of a planned send that a claim looks at.
  const planned = {
    plan: { sessionId, sender: 'ann', action: 'queue' },
    routed: { route: { threadId: null, recipients: [{ id: 'ben', isWaking: true }] } },
  } as unknown as Planned;
  const claimed = (waits: HandOver) => waits.claim([planned])?.waits.map(({ token }) => token);
  const handOver = () => new HandOver({ clock: { now: () => 0, monotonic: () => 0 }, onHanded() {} });

  it('while the first still reads, the second is handed nothing', async () => {
    const waits = handOver();
    let endRead: (() => void) | undefined;
    const first = waits.lease(
      request('first'),
      () => new Promise((resolve) => (endRead = () => resolve({ ...nothing }))),
    );
    await waits.lease(request('second'), () => Promise.resolve({ ...nothing }));
    expect(claimed(waits)).toBeUndefined();
    endRead?.();
    await first;
    expect(claimed(waits)).toEqual(['first']);
    expect(claimed(waits)).toEqual(['second']);
  });

  it('when one of several could not be handed its copies, each of them reads by itself', async () => {
    const handedHere: HandedOver[] = [];
    const clock = { now: () => 0, monotonic: () => 0 };
    const waits = new HandOver({ clock, onHanded: (each) => handedHere.push(...each) });
    await waits.lease(request('first'), () => Promise.resolve({ ...nothing }));
    await waits.lease(request('second'), () => Promise.resolve({ ...nothing }));
    const claim = waits.claim([planned, planned]);
    if (claim === undefined) throw new Error('both are claimed');
    // The part of a transaction that is used; its connection is lost at the second wait.
    let asked = 0;
    const tx = {
      session: () => {
        if ((asked += 1) === 2) throw new Error('connection lost');
        return { salt: 1 };
      },
      rememberSession() {},
    } as unknown as Tx;
    const leased = claim.waits.map((_, index) => ({ place: index + 1, copies: [], hasMore: false, unread: 0 }));
    await expect(waits.deliver(tx, claim, leased)).rejects.toThrow('connection lost');
    claim.end();
    expect(handedHere).toEqual([]);
    const readers: string[] = [];
    for (const token of ['first', 'second']) {
      await waits.lease(request(token, { wait: 'again' }), ({ token: reading }) => {
        readers.push(reading);
        return Promise.resolve({ ...nothing });
      });
    }
    expect(readers).toEqual(['first', 'second']);
  });

  it('a wait that filters is not passed over', async () => {
    const waits = handOver();
    const fromAnn = request('first', { filter: { ...filter, from: 'ann' } });
    await waits.lease(fromAnn, () => Promise.resolve({ ...nothing }));
    await waits.lease(request('second'), () => Promise.resolve({ ...nothing }));
    expect(claimed(waits)).toBeUndefined();
  });
});
