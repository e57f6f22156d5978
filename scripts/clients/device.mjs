// A paired and verified device, as the app in a browser is one.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pinDevice, pinsFileName } from '../../dist/files/pins.js';
import { newKeys, pairingClaim, pairingMac, seal, signBytes } from '../../dist/signal/envelope/index.js';
import { pairingProofBytes } from '../../dist/signal/pair/signed-bytes.js';
import { hashOfClaim } from '../../dist/signal/pair/start-pairing.js';

const person = 'me';

/** `pins` is the folder where the hook's user keeps verified devices. */
export async function pairDevice(url, pins) {
  const { hub } = await (await fetch(`${url}/app/hub`)).json();
  const keys = await newKeys(false);
  const { kid } = keys.public;
  const secret = randomBytes(16).toString('base64url');
  const claim = await pairingClaim(secret);
  const asPerson = { 'coterie-agent': person };
  const { pairingId } = await post('/v1/start_pairing', { claimHash: hashOfClaim(claim) }, asPerson);
  const proof = await signBytes(keys, 'pair', pairingProofBytes({ ref: pairingId, kid, hubKid: hub.kid }));
  const device = { ...keys.public, name: 'Phone' };
  const mac = await pairingMac(secret, { kid, person });
  const paired = await send('/app/pair', { pairingId, claim, mac, device, proof }, { origin: url });
  const { deviceId } = await paired.json();
  const cookie = (paired.headers.get('set-cookie') ?? '').split(';')[0];
  await post('/v1/verify_device', { deviceId }, asPerson);
  const pinnedAt = new Date().toISOString();
  pinDevice(join(pins, pinsFileName), hub.kid, { kid, person, session: 'default', name: 'Phone', pinnedAt });
  const asDevice = { origin: url, cookie };

  async function send(path, input, headers) {
    const body = JSON.stringify(input);
    return fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  }

  async function post(path, input, headers) {
    const response = await send(path, input, headers);
    const body = await response.json();
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(body)}`);
    return body;
  }

  return {
    async prompt() {
      const { questions } = await post('/v1/list_questions', { status: 'pending' }, asDevice);
      return questions.find(({ kind, sealed }) => kind === 'permission' && sealed?.r.some(({ k }) => k === kid));
    },
    async statusOf(questionId) {
      const { questions } = await post('/v1/list_questions', { questionId }, asDevice);
      return questions[0]?.status;
    },
    async answer({ id, callHash, senderKeys }, said) {
      const header = { use: 'answer', session: 'default', id, at: Date.now(), callHash, status: 'answered' };
      const sealed = await seal(keys, [senderKeys], { header, payload: said });
      await post('/v1/answer_question', { questionId: id, sealed }, asDevice);
    },
  };
}
