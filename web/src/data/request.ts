// One request to the hub, from a page or from the service worker. The browser adds the cookie.

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

export interface Asked {
  method: 'GET' | 'POST';
  body?: object;
  headers?: Record<string, string>;
  /** `omit`: without the cookie, and without keeping the one that the hub sets. */
  credentials?: 'omit';
}

export async function request<Output>(path: string, { method, body, headers, credentials }: Asked): Promise<Output> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      cache: 'no-store',
      credentials: credentials ?? 'same-origin',
      signal: AbortSignal.timeout(callMs),
    });
  } catch (error) {
    throw new Unreachable('The hub does not answer.', { cause: error });
  }
  const answer = await bodyOf(response);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The hub's own answer: its shape is the contract's.
  if (response.ok) return answer as Output;
  throw new Refused(response.status, errorOf(answer));
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
