// A device as the hub's page makes it: its keys, its pairing by link or code, its cookie.
import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { readPairingCode } from '../../dist/contract/signal/device.js';
import { newKeys, pairingClaim, pairingMac, signBytes, type SignalKeys } from '../../dist/signal/envelope/index.js';
import { pairingProofBytes, signInBytes } from '../../dist/signal/pair/signed-bytes.js';
import { hashOfClaim } from '../../dist/signal/pair/start-pairing.js';
import type { HttpAnswer } from './http-call.js';

export interface PageAnswer extends HttpAnswer {
  /** `name=value`, to send back. */
  cookie: string | null;
  setCookie: string;
}

/** As a page of the hub would: with its own origin. */
export async function postFromPage(
  url: string,
  path: string,
  { body = {}, cookie = '', origin = new URL(url).origin }: { body?: object; cookie?: string; origin?: string } = {},
): Promise<PageAnswer> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin, ...(cookie === '' ? {} : { cookie }) },
    body: JSON.stringify(body),
  });
  const setCookie = response.headers.get('set-cookie') ?? '';
  const text = await response.text();
  return {
    status: response.status,
    body: text === '' ? {} : JSON.parse(text),
    setCookie,
    cookie: setCookie === '' ? null : (setCookie.split(';')[0] ?? null),
  };
}

export async function hubKidOf(url: string): Promise<string> {
  const response = await fetch(`${url}/app/hub`);
  const { hub } = (await response.json()) as { hub: { kid: string } };
  return hub.kid;
}

export class TestDevice {
  readonly keys: SignalKeys;
  readonly name: string;
  id = '';
  cookie = '';

  private constructor(keys: SignalKeys, name: string) {
    this.keys = keys;
    this.name = name;
  }

  static async make(name = 'Phone'): Promise<TestDevice> {
    return new TestDevice(await newKeys(false), name);
  }

  get shown() {
    return { ...this.keys.public, name: this.name };
  }

  async proof(url: string, ref: string): Promise<string> {
    const bytes = pairingProofBytes({ ref, kid: this.keys.public.kid, hubKid: await hubKidOf(url) });
    return signBytes(this.keys, 'pair', bytes);
  }

  async pairByCode(url: string, code: string): Promise<PageAnswer> {
    const proof = await this.proof(url, readPairingCode(code) ?? code);
    return this.#paired(await postFromPage(url, '/app/pair', { body: { code, device: this.shown, proof } }));
  }

  /** `macSecret`: as someone who changes the keys on the way would have to guess it. */
  async pairByLink(
    url: string,
    link: { pairingId: string; secret: string; person: string; macSecret?: string },
  ): Promise<PageAnswer> {
    const { pairingId, secret, person, macSecret = secret } = link;
    const body = {
      pairingId,
      claim: await pairingClaim(secret),
      mac: await pairingMac(macSecret, { kid: this.keys.public.kid, person }),
      device: this.shown,
      proof: await this.proof(url, pairingId),
    };
    return this.#paired(await postFromPage(url, '/app/pair', { body }));
  }

  async pairOnPage(url: string): Promise<PageAnswer> {
    const body = { device: this.shown, proof: await this.proof(url, 'page') };
    return this.#paired(await postFromPage(url, '/app/pair/local', { body }));
  }

  async challenge(url: string): Promise<string> {
    const { body } = await postFromPage(url, '/app/sign-in/challenge', { body: { deviceId: this.id } });
    return body.challenge;
  }

  async signIn(url: string, challenge: string): Promise<PageAnswer> {
    const bytes = signInBytes({ challenge, deviceId: this.id, hubKid: await hubKidOf(url) });
    const signature = await signBytes(this.keys, 'sign-in', bytes);
    return this.#paired(await postFromPage(url, '/app/sign-in', { body: { deviceId: this.id, challenge, signature } }));
  }

  /** An operation, as the page calls it. */
  async post(url: string, operation: string, input: object = {}): Promise<PageAnswer> {
    return postFromPage(url, `/v1/${operation}`, { body: input, cookie: this.cookie });
  }

  async call(url: string, operation: string, input: object = {}): Promise<HttpAnswer['body']> {
    const { status, body } = await this.post(url, operation, input);
    expect({ status, body }).toMatchObject({ status: 200 });
    return body;
  }

  #paired(answer: PageAnswer): PageAnswer {
    if (answer.status === 200) {
      this.id = answer.body.deviceId;
      this.cookie = answer.cookie ?? '';
    }
    return answer;
  }
}

export async function newLinkSecret(): Promise<{ secret: string; claimHash: string }> {
  const secret = randomBytes(16).toString('base64url');
  return { secret, claimHash: hashOfClaim(await pairingClaim(secret)) };
}
