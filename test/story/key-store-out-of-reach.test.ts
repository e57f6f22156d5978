// A hub that cannot look at its keys says so: some clients remember a 401 for good.
import { expect, it } from 'vitest';
import { makeKeyText } from '../../dist/access/key-text.js';
import { HubError } from '../../dist/contract/errors.js';
import type { Store } from '../../dist/ports/store.js';
import { eventually } from '../support/eventually.js';
import { agentRights, useKeyedHub } from '../support/keyed-hub.js';
import { movableClock } from '../support/movable-clock.js';
import { hubsAtOnce } from '../support/world.js';

const clock = movableClock();
let isOutOfReach = false;
/** The stores that a hub has asked in vain; a question before may still be answered. */
const failed = new Set<Store>();
const looksAtKeys = new Set<string | symbol>(['keyState', 'findKey']);

function wrapStore(store: Store): Store {
  const unreachable = () => {
    failed.add(store);
    return Promise.reject(new HubError('STORE_UNAVAILABLE', 'No database.', { hint: 'Later.' }));
  };
  return new Proxy(store, {
    get: (target, name): unknown => (isOutOfReach && looksAtKeys.has(name) ? unreachable : Reflect.get(target, name)),
  });
}

const { hub, key } = useKeyedHub({ ann: agentRights }, { clock, wrapStore });

const statusOf = async (path: string, given?: string) =>
  (await fetch(`${hub.url}${path}`, given === undefined ? {} : { headers: { authorization: `Bearer ${given}` } }))
    .status;

it('answers 503 to every key, right or wrong or missing, until it can look again', async () => {
  expect(await statusOf('/v1/openapi.json', key('ann'))).toBe(200);
  isOutOfReach = true;
  await eventually('every hub has asked in vain', () => failed.size === hubsAtOnce);
  // What it knows is believed for two seconds.
  clock.advance(3_000);
  for (const given of [key('ann'), makeKeyText().text, 'junk', undefined]) {
    for (const path of ['/mcp', '/v1/openapi.json', '/v1/events']) expect(await statusOf(path, given)).toBe(503);
  }
  expect(await statusOf('/healthz')).toBe(200);
  isOutOfReach = false;
  expect(await statusOf('/v1/openapi.json', key('ann'))).toBe(200);
  expect(await statusOf('/v1/openapi.json', makeKeyText().text)).toBe(401);
});
