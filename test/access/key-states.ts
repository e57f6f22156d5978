// Requests in every state that a key can be in, and what the hub must say to each before it looks at what is asked.
import { makeKeyText } from '../../dist/access/key-text.js';
import { limits } from '../../dist/contract/limits.js';
import type { HubInProcess } from '../support/hub-in-process.js';
import { keysSeen, makeKey, revokeKey } from '../support/keys.js';
import { startHubInProcess } from '../support/hub-in-process.js';
import { configFile } from '../support/config-file.js';
import { bearer, type Question } from './ask.js';

type Headers = NonNullable<Question['headers']>;

export interface RefusedState {
  state: string;
  headers: Headers;
  code: 'KEY_REQUIRED' | 'KEY_INVALID';
  reason: string;
}

export interface KeyedHub extends HubInProcess {
  /** Keys that work, each for an agent of its name. */
  keys: Record<KeyName, string>;
  /** The ids of all keys, and the secrets of those that must not be told. */
  secrets: string[];
  refused: RefusedState[];
}

/** `noSend` can do everything but send, and so on; without `admin`, which can do all. */
export type KeyName = 'sender' | 'reader' | 'noSend' | 'noRead' | 'noAdmin' | 'observer' | 'admin';

/** For tests that ask far more, and far more often wrongly, than a caller may. */
export const withoutRates = Object.fromEntries(
  ['callsPerSecond', 'callsBurst', 'failedKeysPerMinute'].filter((name) => name in limits).map((name) => [name, 1e6]),
);

/** What is handed out stays so until the test is over. */
export const longLeases = ['--manual-lease-ms', '600000'];

export async function startKeyedHub(): Promise<KeyedHub> {
  const hub = await startHubInProcess({ args: ['--config', configFile({ limits: withoutRates }), ...longLeases] });
  const { store, url } = hub;
  const texts = {
    sender: (await makeKey(store, { agent: 'sender', capabilities: ['send'] })).text,
    reader: (await makeKey(store, { agent: 'reader', capabilities: ['read'] })).text,
    noSend: (await makeKey(store, { agent: 'noSend', capabilities: ['read', 'signal'] })).text,
    noRead: (await makeKey(store, { agent: 'noRead', capabilities: ['send', 'signal'] })).text,
    noAdmin: (await makeKey(store, { agent: 'noAdmin', capabilities: ['send', 'read', 'signal'] })).text,
    observer: (await makeKey(store, {})).text,
    admin: (await makeKey(store, { agent: 'admin', capabilities: ['admin'] })).text,
  };
  const expired = await makeKey(store, { agent: 'ann', expiresAt: Date.now() - 1_000 });
  const revoked = await makeKey(store, { agent: 'ann' });
  await revokeKey(store, revoked);
  await keysSeen(url);
  const { admin } = texts;
  const invalid = (state: string, reason: string, ...headers: Headers): RefusedState => {
    return { state, headers, code: 'KEY_INVALID', reason };
  };
  return {
    ...hub,
    keys: texts,
    secrets: [...Object.values(texts), expired.text, revoked.text].map((text) => text.split('_').slice(2).join('_')),
    refused: [
      { state: 'no key', headers: [], code: 'KEY_REQUIRED', reason: 'missing' },
      invalid('a malformed key', 'malformed', bearer('sk-of-another-service')),
      invalid('a truncated key', 'malformed', bearer(admin.slice(0, -1))),
      invalid('an unknown key', 'unknown', bearer(makeKeyText().text)),
      invalid('a wrong secret', 'unknown', bearer(admin.slice(0, -4) + (admin.endsWith('AAAA') ? 'BBBB' : 'AAAA'))),
      invalid('a revoked key', 'revoked', bearer(revoked.text)),
      invalid('an expired key', 'expired', bearer(expired.text)),
      invalid('two keys', 'several', bearer(admin), bearer(texts.reader)),
      invalid('the same key twice', 'several', bearer(admin), bearer(admin)),
    ],
  };
}
