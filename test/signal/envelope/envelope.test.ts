import { beforeAll, expect, test } from 'vitest';
import type { Envelope } from '../../../dist/contract/signal/signal.js';
import {
  contentOf,
  answerOf,
  deriveKeys,
  envelopeFor,
  EnvelopeError,
  headerOf,
  newKeys,
  open,
  requireKid,
  restoreKeys,
  saveKeys,
  seal,
  verify,
  wrapFor,
  type EnvelopeFault,
  type SignalKeys,
} from '../../../dist/signal/envelope/index.js';

const content = { text: 'Deploy?', options: ['Yes', 'No'], context: null };
const header = { use: 'question', session: 'default', id: 'q-1', at: 1_000 } as const;
const expected = { use: 'question', session: 'default', id: 'q-1' } as const;

let agent: SignalKeys;
let phone: SignalKeys;
let tablet: SignalKeys;
let stranger: SignalKeys;
beforeAll(async () => {
  [agent, phone, tablet, stranger] = await Promise.all([newKeys(true), newKeys(false), newKeys(false), newKeys(false)]);
});

const sealed = () => seal(agent, [phone.public, tablet.public], { header, payload: content });
const from = (...senders: SignalKeys[]) => ({ senders: senders.map((keys) => keys.public), header: expected });

async function faultOf(promise: Promise<unknown>): Promise<EnvelopeFault> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof EnvelopeError) return error.fault;
    throw error;
  }
  throw new Error('It was accepted.');
}

/** The same text with one bit of its bytes changed. */
function flip(text: string): string {
  const bytes = Buffer.from(text, 'base64url');
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  return bytes.toString('base64url');
}

test('every recipient opens it, with keys that cannot be read out', async () => {
  const envelope = await sealed();
  for (const keys of [phone, tablet]) {
    expect(keys.encryption.privateKey.extractable).toBe(false);
    const opened = await open(keys, envelopeFor(envelope, keys.public.kid), from(agent));
    expect(contentOf(opened.payload)).toEqual(content);
    expect(opened).toMatchObject({ sender: agent.public, header: { ...header, v: 1, from: agent.public.kid } });
  }
});

test('who is no recipient cannot open it', async () => {
  expect(await faultOf(open(stranger, await sealed(), from(agent)))).toBe('not_for_me');
  expect(await faultOf(wrapFor(stranger, await sealed(), stranger.public))).toBe('not_for_me');
});

test('a sender whom the reader does not trust, or whose device was revoked, is refused', async () => {
  const forged = await seal(stranger, [phone.public], { header, payload: content });
  expect(await faultOf(open(phone, forged, from(agent)))).toBe('unknown_sender');
});

test('a forged sender is refused: the name of a trusted key without its signature', async () => {
  const forged = await seal({ ...stranger, public: agent.public }, [phone.public], { header, payload: content });
  expect(await faultOf(open(phone, forged, from(agent)))).toBe('bad_signature');
  const ownKeys = { ...stranger.public, kid: agent.public.kid };
  expect(await faultOf(open(phone, forged, { senders: [ownKeys], header: expected }))).toBe('wrong_kid');
});

test('a swapped header is refused', async () => {
  const [one, other] = [
    await sealed(),
    await seal(agent, [phone.public], { header: { ...header, id: 'q-2' }, payload: content }),
  ];
  expect(await faultOf(open(phone, { ...one, h: other.h }, from(agent)))).toBe('bad_signature');
  // Signed again by a trusted sender: the cipher text and the wrapped key are still bound to their own header.
  const resealed = { ...other, c: one.c, r: one.r };
  expect(await faultOf(open(phone, resealed, { ...from(agent), header: { id: 'q-2' } }))).toBe('bad_signature');
});

test('an answer to one question does not pass as the answer to another, nor in another session', async () => {
  const answer = {
    header: { ...header, use: 'answer', status: 'answered' } as const,
    payload: { option: 1, response: 'Yes' },
  };
  const envelope = await seal(phone, [agent.public], answer);
  const senders = [phone.public];
  const opened = await open(agent, envelope, { senders, header: { ...expected, use: 'answer', status: 'answered' } });
  expect(answerOf(opened.payload)).toEqual({ option: 1, response: 'Yes' });
  for (const other of [
    { id: 'q-2' },
    { session: 'other' },
    { use: 'question' },
    { status: 'declined' },
    { callHash: 'x' },
  ] as const) {
    expect(await faultOf(open(agent, envelope, { senders, header: other }))).toBe('wrong_header');
    expect(await faultOf(verify(envelope, { senders, header: other }))).toBe('wrong_header');
  }
});

test('every changed bit is found: header, text, signature, wrapped key', async () => {
  const whole = envelopeFor(await sealed(), phone.public.kid);
  const [wrap] = whole.r;
  if (wrap === undefined) throw new Error('no wrap');
  expect(['bad_signature', 'malformed']).toContain(
    await faultOf(open(phone, { ...whole, h: flip(whole.h) }, from(agent))),
  );
  expect(await faultOf(open(phone, { ...whole, c: flip(whole.c) }, from(agent)))).toBe('bad_signature');
  expect(await faultOf(open(phone, { ...whole, s: flip(whole.s) }, from(agent)))).toBe('bad_signature');
  expect(await faultOf(open(phone, { ...whole, r: [{ ...wrap, w: flip(wrap.w) }] }, from(agent)))).toBe('unreadable');
  expect(await faultOf(open(phone, { ...whole, r: [{ ...wrap, e: flip(wrap.e) }] }, from(agent)))).toBe('unreadable');
  const othersWrap = (await sealed()).r.find(({ k }) => k === phone.public.kid);
  expect(await faultOf(open(phone, { ...whole, r: [othersWrap ?? wrap] }, from(agent)))).toBe('unreadable');
});

test('a device wraps the key for a device paired later, and nobody else can', async () => {
  const envelope = await sealed();
  const later = await newKeys(false);
  expect(await faultOf(open(later, envelope, from(agent)))).toBe('not_for_me');
  const wrap = await wrapFor(phone, envelope, later.public);
  const opened = await open(later, { ...envelope, r: [...envelope.r, wrap] }, from(agent));
  expect(contentOf(opened.payload)).toEqual(content);
});

test('the length of the cipher text says little about the text', async () => {
  const lengthOf = async (text: string) =>
    Buffer.from((await seal(agent, [phone.public], { header, payload: text })).c, 'base64url').length;
  expect(await lengthOf('Yes')).toBe(await lengthOf('y'.repeat(253)));
  expect(await lengthOf('y'.repeat(254))).toBe((await lengthOf('Yes')) + 256);
});

test.each<[string, (envelope: Envelope) => unknown]>([
  ['another version', (envelope) => ({ ...envelope, v: 2 })],
  ['another version of the header', (envelope) => ({ ...envelope, h: Buffer.from('{"v":2}').toString('base64url') })],
  ['a header that is not JSON', (envelope) => ({ ...envelope, h: 'AAAA' })],
  ['a header that is too long', (envelope) => ({ ...envelope, h: 'A'.repeat(2_001) })],
  ['a text that is too long', (envelope) => ({ ...envelope, c: 'A'.repeat(64 * 1024 + 1) })],
  ['too many wrapped keys', (envelope) => ({ ...envelope, r: Array.from({ length: 101 }, () => envelope.r[0]) })],
  ['a wrapped key that is too long', (envelope) => ({ ...envelope, r: [{ k: 'k', e: 'e', w: 'A'.repeat(200) }] })],
  ['other characters', (envelope) => ({ ...envelope, c: `${envelope.c.slice(1)}=` })],
  ['no envelope', () => null],
  ['a number', () => 5],
])('%s is malformed', async (_, change) => {
  const envelope = change(await sealed()) as Envelope;
  expect(await faultOf(open(phone, envelope, from(agent)))).toBe('malformed');
});

test('a text that would not fit is not sealed', async () => {
  expect(await faultOf(seal(agent, [phone.public], { header, payload: 'x'.repeat(49_000) }))).toBe('too_large');
});

test('keys are refused unless their id is theirs and they are points of the curve', async () => {
  expect(await faultOf(requireKid({ ...phone.public, kid: agent.public.kid }))).toBe('wrong_kid');
  expect(await faultOf(requireKid({ ...phone.public, signing: 'AAAA' }))).toBe('malformed');
  const swapped = { ...phone.public, encryption: agent.public.encryption };
  expect(await faultOf(seal(agent, [swapped], { header, payload: content }))).toBe('wrong_kid');
});

test('saved keys open what was sealed for them before', async () => {
  const saved = JSON.parse(JSON.stringify(await saveKeys(agent)));
  const answer = await seal(phone, [agent.public], { header, payload: content });
  const opened = await open(await restoreKeys(saved), answer, from(phone));
  expect(contentOf(opened.payload)).toEqual(content);
});

test('a secret always gives the same keys, another secret others', async () => {
  const secret = (byte: number) => ({
    encryption: new Uint8Array(32).fill(byte),
    signing: new Uint8Array(32).fill(byte + 1),
  });
  const one = await deriveKeys(secret(1));
  expect((await deriveKeys(secret(1))).public).toEqual(one.public);
  expect((await deriveKeys(secret(3))).public.kid).not.toBe(one.public.kid);
  const envelope = await seal(one, [one.public], { header, payload: content });
  expect(headerOf(envelope).from).toBe(one.public.kid);
  expect(contentOf((await open(one, envelope, from(one))).payload)).toEqual(content);
});
