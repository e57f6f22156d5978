// Runs that once went wrong, made short and kept by name.
import { afterAll, it } from 'vitest';
import { Settle, Take } from './inbox-commands-read.js';
import { Send, type Letter } from './inbox-commands-send.js';
import { Advance, Reap, RegisterAgain, RemoveAgent, Restart } from './inbox-commands-world.js';
import { InboxRuns } from './inbox-property.js';
import { openInboxStore } from './inbox-store.js';
import { inboxMax, manualLeaseMs } from './inbox-world.js';

const runs = new InboxRuns(openInboxStore);
afterAll(() => runs.close());

const plain: Letter = {
  from: 'ann',
  threadId: null,
  target: 'ben',
  text: 'one',
  priority: 'normal',
  action: 'queue',
  urgent: false,
  mentions: [],
  type: null,
  ttlMs: null,
  key: null,
  wantsReceipt: false,
};
const takeByHand = new Take({ agent: 'ben', limit: 50, filter: { wakingOnly: false } }, true);
const take = new Take({ agent: 'ben', limit: 50, filter: { wakingOnly: false } }, false);
const runOut = [takeByHand, new Advance(manualLeaseMs), new Reap()];

it('what never left the hub was never delivered', () =>
  runs.run([new Send(plain), take, new Settle('unsent', 0, false)]));

it('what never left the hub is marked when later messages were handed out since', () =>
  runs.run([new Send(plain), take, new Send(plain), take, new Settle('unsent', 1, false), take]));

it('what was read and taken back keeps the time it was delivered', () =>
  runs.run([
    new Send(plain),
    take,
    new Settle('arrived', 0, false),
    new Advance(1_000),
    new Settle('taken back', 0, false),
  ]));

it('what was read and taken back takes its room in the inbox again', () =>
  runs.run([
    // With the two notices of its threads, full.
    ...Array.from({ length: inboxMax - 2 }, () => new Send(plain)),
    new Take({ agent: 'ben', limit: 2, filter: { wakingOnly: false } }, false),
    new Settle('arrived', 0, false),
    new Send(plain),
    new Settle('taken back', 0, true),
    new Send(plain),
  ]));

it('who is removed gets no word about its own letters to itself', () =>
  runs.run([
    new Send({ ...plain, target: 'ann', wantsReceipt: true }),
    new RemoveAgent('ann'),
    new RegisterAgain('ann'),
    new Take({ agent: 'ann', limit: 50, filter: { wakingOnly: false } }, false),
  ]));

it('a lease that ends unread after the time to live is expired, however often it ran out', () =>
  runs.run([new Send({ ...plain, ttlMs: manualLeaseMs + 1_000 }), ...runOut, ...runOut]));

it('restarts excuse the lease they fall into once, and no later one', () =>
  runs.run([
    new Send(plain),
    takeByHand,
    new Restart(),
    new Restart(),
    new Advance(manualLeaseMs),
    new Reap(),
    ...runOut,
    ...runOut,
  ]));

it('a lease given back after a restart excuses no later one', () =>
  runs.run([new Send(plain), takeByHand, new Restart(), new Settle('lost', 0, false), ...runOut, ...runOut]));
