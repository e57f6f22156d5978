// The device signs in: the hub gives a challenge, the device signs it, the hub sets its cookie.
import { signBytes } from '../../../src/signal/envelope/index.js';
import { signInBytes } from '../../../src/signal/pair/signed-bytes.js';
import { request } from '../data/request.js';
import type { Device } from './identity.js';

let running: Promise<void> | undefined;

/** Calls that find the cookie gone at the same time share one sign-in. */
export async function signIn(device: Device): Promise<void> {
  running ??= signInOnce(device).finally(() => {
    running = undefined;
  });
  return running;
}

async function signInOnce({ id: deviceId, keys, hub }: Device): Promise<void> {
  const asked = { method: 'POST' as const, body: { deviceId } };
  const { challenge } = await request<{ challenge: string }>('/app/sign-in/challenge', asked);
  // With the hub's key as it was at pairing: another hub could pass this hub's challenge on.
  const signature = await signBytes(keys, 'sign-in', signInBytes({ challenge, deviceId, hubKid: hub.kid }));
  await request('/app/sign-in', { method: 'POST', body: { deviceId, challenge, signature } });
}
