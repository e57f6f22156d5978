// Calls the hub: operations at /v1/<name>, the app's own routes at /app/*.
import { signedIn, signInWith } from '../device/call-hub.js';
import { hub, isByKey, speaker } from './hub.js';
import { headersOf } from './owner.js';
import { request, type Asked } from './request.js';

export { Refused, Unreachable } from './request.js';

signInWith(async (device) => {
  // Who signed in with a key does not go on as the device's person.
  if (isByKey()) return false;
  await (await import('../device/sign-in.js')).signIn(device);
  return true;
});

export function call<Output>(operation: string, input: object): Promise<Output> {
  return signedIn(() => send(`/v1/${operation}`, { method: 'POST', body: input }));
}

export function get<Output>(path: string): Promise<Output> {
  return send(path, { method: 'GET' });
}

/** Who the page speaks for, whatever the cookie says by now. */
export function identityHeaders(): Record<string, string> {
  return headersOf(speaker.value, hub.value?.mode);
}

function send<Output>(path: string, asked: Asked): Promise<Output> {
  return request(path, { ...asked, headers: identityHeaders() });
}
