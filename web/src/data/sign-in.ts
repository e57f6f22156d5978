// Signs this browser in with a key or an observer's link, and out. The hub sets a cookie that no script can read; the key and
// the link's secret are in the one request that exchanges them, and nowhere else.
import type { ObserverLink } from '../../../src/contract/signal/observer-link.js';
import { announce } from './announce.js';
import { sendKept } from './outbox.js';
import { request } from './request.js';
import { forgetSignIn, startAnew } from './sign-in-end.js';

export async function signInByKey(key: string): Promise<void> {
  await exchange('/app/sign-in/key', { key });
}

export async function signInByLink({ linkId, secret }: ObserverLink): Promise<void> {
  await exchange('/app/sign-in/link', { linkId, secret });
}

async function exchange(path: string, body: object): Promise<void> {
  // What still waits is of whoever was signed in before, and waits for them.
  await sendKept();
  await request(path, { method: 'POST', body });
  announce('device');
  await startAnew();
}

/** A paired device is signed in again by itself. */
export async function signOut(): Promise<void> {
  await sendKept();
  await request('/app/sign-out', { method: 'POST', body: {} });
  await forgetSignIn();
  announce('device');
  await startAnew();
}
