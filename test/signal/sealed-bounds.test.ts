// What one sealed question or alert can do to those who read others: nothing.
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import type { QuestionView } from '../../dist/contract/signal/question.js';
import { newKeys, seal, wrapFor } from '../../dist/signal/envelope/index.js';
import { cliAudit } from '../support/cli-audit.js';
import { configFile } from '../support/config-file.js';
import { call } from '../support/http-call.js';
import { startHubInProcess } from '../support/hub-in-process.js';
import { newLinkSecret, TestDevice } from '../support/test-device.js';

const asker = { agent: 'asker' };

async function pairedAs(url: string, person: string): Promise<TestDevice> {
  const device = await TestDevice.make();
  const { secret, claimHash } = await newLinkSecret();
  const { pairingId } = await call(url, 'start_pairing', { claimHash }, { agent: person });
  expect((await device.pairByLink(url, { pairingId, secret, person })).status).toBe(200);
  return device;
}

it('a list of large envelopes comes in pages of bounded size, and none is lost', async () => {
  const limits = { alertsBurst: 200, sessionAlertsBurst: 200 };
  const { url } = await startHubInProcess({ args: ['--config', configFile({ limits })] });
  const device = await TestDevice.make();
  await device.pairOnPage(url);
  const keys = await newKeys(false);
  await call(url, 'set_agent_key', keys.public, asker);
  const payload = { text: randomBytes(23_000).toString('hex'), options: [], context: null };
  const count = 120;
  for (let index = 0; index < count; index += 1) {
    const id = `a-${String(index).padStart(6, '0')}`;
    const header = { use: 'alert' as const, session: 'default', id, at: Date.now() };
    const envelope = await seal(keys, [device.keys.public], { header, payload });
    await call(url, 'send_sealed', { kind: 'alert', id, envelope }, asker);
  }
  const ids = new Set<string>();
  let cursor: string | null = null;
  let pages = 0;
  do {
    const page = await device.call(url, 'list_alerts', { limit: 500, ...(cursor === null ? {} : { cursor }) });
    expect(JSON.stringify(page).length).toBeLessThan(8 * 1024 * 1024);
    for (const { id } of page.alerts as { id: string }[]) ids.add(id);
    ({ cursor } = page as { cursor: string | null });
    pages += 1;
  } while (cursor !== null);
  expect([ids.size, pages > 1]).toEqual([count, true]);
});

it('a recipient cannot put a false key where the device of another recipient would get the right one', async () => {
  const hub = await startHubInProcess();
  for (const id of ['ada', 'bea'])
    await hub.store.addPerson({ sessionId: 'default', id, name: null, at: Date.now(), audit: cliAudit('default') });
  const [ada, bea] = [await pairedAs(hub.url, 'ada'), await pairedAs(hub.url, 'bea')];
  const asked = await call(hub.url, 'ask_question', { question: 'Deploy?', to: ['ada', 'bea'] }, asker);
  const { questionId: signalId } = asked;
  const later = await pairedAs(hub.url, 'ada');
  const sealedFor = async (device: TestDevice) => {
    const { questions } = await device.call(hub.url, 'list_questions', { questionId: signalId });
    const [{ sealed }] = questions as [QuestionView];
    if (sealed === undefined) throw new Error('not sealed');
    return sealed;
  };
  const wrap = await wrapFor(ada.keys, await sealedFor(ada), later.keys.public);
  const forged = { ...wrap, w: randomBytes(48).toString('base64url') };
  const refused = await bea.post(hub.url, 'share_signal', { signalId, wraps: [forged] });
  expect([refused.status, refused.body.error?.code]).toEqual([400, 'ENVELOPE_INVALID']);
  expect(await ada.call(hub.url, 'share_signal', { signalId, wraps: [wrap] })).toMatchObject({ added: 1 });
  expect((await sealedFor(later)).r).toEqual([wrap]);
});
