// Any run of commands, each kind as often as it teaches something.
import * as fc from 'fast-check';
import type { Inbox } from './inbox-model.js';
import { AcknowledgeUpTo, Peek, Settle, Take, type Reading } from './inbox-commands-read.js';
import { Send, SendAgain, Together, type Letter } from './inbox-commands-send.js';
import { Advance, InTurn, JoinOrLeave, Reap, RegisterAgain, RemoveAgent, Restart } from './inbox-commands-world.js';
import { agentIds, manualLeaseMs, threadIds, type World } from './inbox-world.js';

const agent = fc.constantFrom(...agentIds);
const thread = fc.constantFrom(...threadIds);
const rarely = fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) });
const priority = fc.constantFrom('low', 'normal', 'normal', 'high');
const type = fc.constantFrom('QUERY', 'RESULT', null);

const address: fc.Arbitrary<Pick<Letter, 'threadId' | 'target'>> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ threadId: fc.constant(null), target: agent }) },
  { weight: 2, arbitrary: fc.record({ threadId: fc.constant(null), target: fc.constantFrom('all', 'nobody') }) },
  { weight: 5, arbitrary: fc.record({ threadId: thread, target: fc.constant(null) }) },
  { weight: 1, arbitrary: fc.record({ threadId: thread, target: fc.oneof(agent, fc.constantFrom('all', 'nobody')) }) },
);

const rest = fc.record({
  from: agent,
  text: fc.constantFrom('one', 'two', 'three'),
  priority,
  action: rarely.map((isInterrupt) => (isInterrupt ? 'interrupt' : 'queue')),
  urgent: rarely,
  mentions: fc.subarray([...agentIds, 'nobody'], { maxLength: 2 }),
  type,
  ttlMs: fc.constantFrom(null, null, 1_000, 5_000, manualLeaseMs + 1_000),
  key: fc.constantFrom(null, null, null, 'k1', 'k2'),
  wantsReceipt: rarely,
});

const send = fc.tuple(rest, address).map(([letter, to]) => new Send({ ...letter, ...to }));

const filter: fc.Arbitrary<Reading['filter']> = fc.oneof(
  { weight: 6, arbitrary: fc.boolean().map((wakingOnly) => ({ wakingOnly })) },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        wakingOnly: fc.boolean(),
        priority,
        type: fc.constantFrom('QUERY', 'RESULT'),
        from: agent,
        threadIds: fc.uniqueArray(thread, { minLength: 1, maxLength: 2 }),
      },
      { requiredKeys: ['wakingOnly'] },
    ),
  },
);
const reading = fc.record({ agent, limit: fc.constantFrom(1, 3, 50, 50), filter });
const take = fc.tuple(reading, fc.boolean()).map(([what, isManual]) => new Take(what, isManual));

/** Most often the last lease; sometimes one long over. */
const back = fc.oneof(fc.constant(0), fc.nat(3), fc.nat(30));
const settle = fc
  .tuple(fc.constantFrom('arrived', 'arrived', 'arrived', 'lost', 'unsent', 'taken back'), back, rarely)
  .map(([verdict, which, isPart]) => new Settle(verdict, which, isPart));

const advance = fc
  .constantFrom(
    1,
    999,
    1_000,
    5_000,
    manualLeaseMs - 1,
    manualLeaseMs,
    manualLeaseMs,
    manualLeaseMs + 1_000,
    90_000_000,
  )
  .map((ms) => new Advance(ms));

/** A reader takes by hand what there is and says nothing more. */
const runOut = agent.map((who) => {
  const takeAll = new Take({ agent: who, limit: 50, filter: { wakingOnly: false } }, true);
  return new InTurn([takeAll, new Advance(manualLeaseMs), new Reap()]);
});

const anyCommand = fc.oneof(
  { weight: 24, arbitrary: send },
  {
    weight: 4,
    arbitrary: fc.tuple(fc.nat(9), fc.constantFrom(null, null, 'four')).map(([at, text]) => new SendAgain(at, text)),
  },
  {
    weight: 6,
    arbitrary: fc.array(fc.oneof(send, send, take), { minLength: 2, maxLength: 5 }).map((all) => new Together(all)),
  },
  { weight: 20, arbitrary: take },
  { weight: 4, arbitrary: reading.map((what) => new Peek(what)) },
  { weight: 16, arbitrary: settle },
  { weight: 2, arbitrary: fc.tuple(agent, fc.nat(20)).map(([who, upTo]) => new AcknowledgeUpTo(who, upTo)) },
  { weight: 8, arbitrary: advance },
  { weight: 8, arbitrary: fc.constant(new Reap()) },
  { weight: 4, arbitrary: runOut },
  { weight: 1, arbitrary: fc.constant(new Restart()) },
  { weight: 1, arbitrary: agent.map((who) => new RemoveAgent(who)) },
  { weight: 3, arbitrary: agent.map((who) => new RegisterAgain(who)) },
  { weight: 2, arbitrary: fc.tuple(agent, thread).map(([who, where]) => new JoinOrLeave(who, where)) },
);

const commandsMax = 80;

export const anyCommands: fc.Arbitrary<Iterable<fc.AsyncCommand<Inbox, World>>> = fc.commands([anyCommand], {
  maxCommands: commandsMax,
  size: 'max' as const,
  disableReplayLog: true,
});
