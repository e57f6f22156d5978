// Calls the hub: operations at /v1/<name>, the app's own routes at /app/*.
import { signedIn, signInWith } from '../device/call-hub.js';
import { hub } from './hub.js';
import { request, type Asked } from './request.js';

export { Refused, Unreachable } from './request.js';

signInWith(async (device) => (await import('../device/sign-in.js')).signIn(device));

export function call<Output>(operation: string, input: object): Promise<Output> {
  return signedIn(() => send(`/v1/${operation}`, { method: 'POST', body: input }));
}

export function get<Output>(path: string): Promise<Output> {
  return send(path, { method: 'GET' });
}

/** In open mode on the hub's machine the page names the local person; a signed-in device sends its cookie alone. */
export function identityHeaders(): Record<string, string> {
  const known = hub.value;
  if (known?.signedIn !== undefined || known?.localPerson === undefined) return {};
  return { 'coterie-agent': known.localPerson };
}

function send<Output>(path: string, asked: Asked): Promise<Output> {
  return request(path, { ...asked, headers: identityHeaders() });
}
