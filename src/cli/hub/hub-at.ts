// Whether a hub answers at an address, and what can be known of it without calling an operation.
import { hubUnreachable } from '../../client/unreachable.js';
import { HubError } from '../../contract/errors.js';
import { authorizationOf, type KeyChoice } from '../arguments/key-choice.js';

const answerMsMax = 3_000;

export interface HubFound {
  /** Null if the hub tells it only to who has a key. */
  readonly release: string | null;
  /** What the hub says of the key, or of its absence; null if it served the request. */
  readonly refusal: { readonly code: string; readonly message: string } | null;
}

/** Undefined when there is none. */
export async function hubAt(
  url: string,
  { key, waitMs = answerMsMax }: { key?: KeyChoice | undefined; waitMs?: number } = {},
): Promise<HubFound | undefined> {
  try {
    const headers = authorizationOf(key);
    const answer = await fetch(`${url}/v1/openapi.json`, { headers, signal: AbortSignal.timeout(waitMs) });
    const body: unknown = await answer.json();
    const refusal = fieldOf(body, 'error');
    const [code, message] = [fieldOf(refusal, 'code'), fieldOf(refusal, 'message')];
    if (answer.status === 401 && typeof code === 'string' && code.startsWith('KEY_'))
      return { release: null, refusal: { code, message: String(message) } };
    const about = fieldOf(body, 'info');
    if (fieldOf(about, 'title') !== 'Coterie') return undefined;
    return { release: String(fieldOf(about, 'version')), refusal: null };
  } catch {
    return undefined;
  }
}

/** For an address where `hubAt` found none: what is wrong with the certificate there, or that no hub answers. */
export async function whyNoHub(url: string): Promise<HubError> {
  try {
    await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(answerMsMax) });
  } catch (error) {
    const lost = hubUnreachable(url, 'the look for a hub', error);
    if (lost.details['fault'] !== undefined) return lost;
  }
  return new HubError('HUB_UNREACHABLE', `No hub answers at ${url}.`, {
    hint: 'Start the hub, or check its URL: http or https, name and port.',
    details: { url, outcome: 'not_sent' },
  });
}

/** True for a hub that has keys. */
export async function needsKey(url: string): Promise<boolean> {
  const found = await hubAt(url);
  return found !== undefined && found.refusal !== null;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
}
