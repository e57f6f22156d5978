// How often people may be alerted: by one agent, and by all agents of a session, whatever names they take. Also in open mode.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../dist/ports/store.js';
import { cliAudit } from '../support/cli-audit.js';
import { configFile } from '../support/config-file.js';
import { eventually } from '../support/eventually.js';
import { post } from '../support/http-call.js';
import { hubsAt } from '../support/hub-team.js';
import { connectMcp } from '../support/mcp-clients.js';
import { movableClock } from '../support/movable-clock.js';
import { useHub } from '../support/use-hub.js';
import { hubsAtOnce } from '../support/world.js';

const limits = { alertsBurst: 3, alertsPerMinute: 2, sessionAlertsBurst: 8, sessionAlertsPerMinute: 4 };
const clock = movableClock();
let store: Store;
const hub = useHub({
  clock,
  wrapStore: (opened) => (store = opened),
  args: ['--config', configFile({ limits })],
});
let one = '';
let session = '';
let sessions = 0;

beforeAll(() => {
  one = hubsAt(hub.url)[0] ?? '';
});

beforeEach(async () => {
  session = `team-${(sessions += 1)}`;
  await post(one, 'register_agent', {}, { agent: 'first', session });
  await store.addPerson({ sessionId: session, id: 'ada', name: null, at: Date.now(), audit: cliAudit(session) });
});

const alert = (agent: string, fields: object = {}, url = one) =>
  post(url, 'send_alert', { message: 'Done.', encrypt: false, ...fields }, { agent, session });

/** Sends until it is refused. */
async function exhaust(agent: string): Promise<number> {
  let sent = 0;
  while ((await alert(agent)).status === 200) sent += 1;
  return sent;
}

const alertsOf = async (agent: string): Promise<unknown[]> =>
  (await post(one, 'list_alerts', { limit: 100 }, { agent, session })).body.alerts;

describe('an agent that alerts too often', () => {
  it('is refused with the time after which it may, and then may; the others are not', async () => {
    expect(await exhaust('ann')).toBe(3);
    const { status, body } = await alert('ann');
    expect([status, body.error.code, body.error.retry]).toEqual([429, 'RATE_LIMITED', 'later']);
    expect(body.error.details.retryAfterMs).toBeLessThanOrEqual(30_000);
    expect(body.error.message).toMatch(/'ann' sent too many alerts: 3 at once and then 2 a minute/);
    expect(body.error.hint).toMatch(/again in \d+ seconds/);
    expect(await alertsOf('ann')).toHaveLength(3);
    expect((await alert('ben')).status).toBe(200);
    clock.advance(body.error.details.retryAfterMs);
    expect((await alert('ann')).status).toBe(200);
    expect((await alert('ann')).status).toBe(429);
  });

  it('may ask, read and write as before', async () => {
    await exhaust('ann');
    const question = { question: 'Deploy?', to: 'ada', encrypt: false };
    expect((await post(one, 'ask_question', question, { agent: 'ann', session })).status).toBe(200);
    expect((await post(one, 'send_message', { target: 'first', content: 'x' }, { agent: 'ann', session })).status).toBe(
      200,
    );
  });

  it('is told so over MCP', async () => {
    await exhaust('ann');
    const client = await connectMcp('v1', `${one}/mcp?agent=ann&session=${session}`);
    const answer = await client.call('send_alert', { message: 'Done.', encrypt: false });
    expect(answer).toMatchObject({ isError: true, text: expect.stringMatching(/^RATE_LIMITED: .*\n.*in \d+ seconds/) });
    await client.close();
  });
});

it('what was not sent does not count: a repeat with the same key, and an alert to nobody', async () => {
  const first = await alert('ann', { idempotencyKey: 'k' });
  for (let repeat = 0; repeat < 5; repeat += 1) {
    expect((await alert('ann', { idempotencyKey: 'k' })).body.alertId).toBe(first.body.alertId);
    expect((await alert('ann', { to: 'nobody' })).status).toBe(404);
  }
  expect(await exhaust('ann')).toBe(2);
});

it('agents of a session together are bounded, so that new names reach no further', async () => {
  let sent = 0;
  for (let name = 0; name < 12; name += 1) if ((await alert(`a${name}`)).status === 200) sent += 1;
  expect(sent).toBe(8);
  const { body } = await alert('late');
  expect(body.error).toMatchObject({ code: 'RATE_LIMITED', details: { burst: 8, perMinute: 4 } });
  clock.advance(body.error.details.retryAfterMs);
  expect((await alert('late')).status).toBe(200);
});

it.runIf(hubsAtOnce > 1)('the other hubs soon know of what was sent at one', async () => {
  await exhaust('ann');
  for (const other of hubsAt(hub.url).slice(1)) {
    let sent = 0;
    await eventually('another hub has heard of it', async () => {
      const { status, body } = await alert('ann', {}, other);
      if (status === 200) sent += 1;
      // Alone it would send a whole burst, and owe nothing after half a minute.
      return status === 429 && (sent < limits.alertsBurst || body.error.details.retryAfterMs > 30_000);
    });
  }
});
