// What a hub remembers of agents, where a read and a removal cross.
import { expect, it } from 'vitest';
import { Roster } from '../../dist/agent/roster.js';

it('does not remember an agent that was removed while its kind was read', async () => {
  let answer: (kinds: [string, 'human' | 'agent'][]) => void = () => undefined;
  const store = { agentKinds: () => new Promise((resolve) => (answer = resolve)) };
  // Only what this asks of them.
  const roster = new Roster({ store } as unknown as ConstructorParameters<typeof Roster>[0]);
  const reading = roster.peopleAmong('s', ['sam']);
  roster.forget('s', 'sam');
  answer([['sam', 'human']]);
  expect([...(await reading)]).toEqual(['sam']);
  expect(roster.isKnown('s', 'sam')).toBe(false);
});
