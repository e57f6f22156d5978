// Parses a reply: returns the structured result, or throws the error in it.
import { errorKinds, HubError, hubErrorFrom, type ErrorCode } from '../contract/errors.js';
import type { HubReply } from './post.js';

export function readReply(url: string, { status, body }: HubReply): Record<string, unknown> {
  const parsed = parseObject(body);
  if (parsed !== undefined && status === 200) return parsed;
  const refused = parsed?.['error'];
  if (isRecord(refused)) throw refusal(refused);
  throw new HubError('HUB_UNREACHABLE', `The server at ${url} is not a hub (status ${status}).`, {
    hint: 'Check the URL; the hub prints it when it is ready.',
    details: { url, status },
  });
}

function refusal({ code, message, hint, details }: Record<string, unknown>): HubError {
  const text = typeof message === 'string' ? message : '';
  return hubErrorFrom({
    // A newer hub may have codes unknown to this release.
    ...(isKnownCode(code) ? { code, message: text } : { code: 'INTERNAL', message: `${String(code)}: ${text}` }),
    hint: typeof hint === 'string' ? hint : '',
    details: isRecord(details) ? details : {},
  });
}

function isKnownCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(errorKinds, code);
}

function parseObject(body: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    return isRecord(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
