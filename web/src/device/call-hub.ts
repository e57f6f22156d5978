// Calls an operation of the hub. When the cookie has ended, the device signs in again with its key, once per call.
import { Refused, request } from '../data/request.js';
import { readDevice, type Device } from './identity.js';

export async function callHub<Output>(
  operation: string,
  input: object,
  headers: Record<string, string> = {},
): Promise<Output> {
  const asked = { method: 'POST' as const, body: input, headers };
  return signedIn(() => request<Output>(`/v1/${operation}`, asked));
}

export async function signedIn<Output>(ask: () => Promise<Output>): Promise<Output> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 401 || !(await signInAgain())) throw error;
    return ask();
  }
}

/** False if this browser is no device, or the page does not speak for it. */
export async function signInAgain(): Promise<boolean> {
  const device = await readDevice();
  return device !== undefined && signIn(device);
}

let signIn: (device: Device) => Promise<boolean> = () => Promise.reject(new Error('No way to sign in was set.'));

/** The page loads that code when it is needed, as most calls find the cookie in place. A worker cannot load later. */
export function signInWith(way: typeof signIn): void {
  signIn = way;
}
