// Calls the hub: operations at /v1/<name>, the app's own routes at /app/*.
import { hub } from './hub.js';

/** The hub refused the call, and says why. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string;
  readonly details: Record<string, unknown>;

  constructor(status: number, error: { code?: string; message?: string; hint?: string; details?: object }) {
    super(error.message ?? `The hub answered ${status}.`);
    this.status = status;
    this.code = error.code ?? `HTTP_${status}`;
    this.hint = error.hint ?? '';
    this.details = { ...error.details };
  }
}

/** No answer: no network, or no hub. Nothing is known about the call. */
export class Unreachable extends Error {}

export function isTransient(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof Refused && (error.status >= 500 || error.status === 429));
}

const callMs = 30_000;

export function call<Output>(operation: string, input: object): Promise<Output> {
  return send(`/v1/${operation}`, { method: 'POST', body: JSON.stringify(input) });
}

export function post<Output>(path: string, body: object): Promise<Output> {
  return send(path, { method: 'POST', body: JSON.stringify(body) });
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

async function send<Output>(path: string, init: RequestInit): Promise<Output> {
  let response: Response;
  try {
    response = await fetch(path, {
      ...init,
      headers: { ...(init.method === 'POST' ? { 'content-type': 'application/json' } : {}), ...identityHeaders() },
      cache: 'no-store',
      credentials: 'same-origin',
      signal: AbortSignal.timeout(callMs),
    });
  } catch (error) {
    throw new Unreachable('The hub does not answer.', { cause: error });
  }
  const body = await bodyOf(response);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The hub's own answer: its shape is the contract's.
  if (response.ok) return body as Output;
  throw new Refused(response.status, errorOf(body));
}

async function bodyOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    // A proxy's page, or cut short.
    if (response.ok) throw new Unreachable('The answer was cut short.');
    return undefined;
  }
}

function errorOf(body: unknown): object {
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
  return typeof error === 'object' && error !== null ? error : {};
}
