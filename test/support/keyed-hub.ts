// A hub with keys: each caller of a test has one.
import { beforeAll, expect } from 'vitest';
import type { KeyCapability } from '../../dist/contract/operation.js';
import type { Store } from '../../dist/ports/store.js';
import { cliAudit } from './cli-audit.js';
import type { HttpAnswer } from './http-call.js';
import type { HubInProcess, HubInProcessOptions } from './hub-in-process.js';
import { agentRights, keysSeen, makeKey, type TestKey } from './keys.js';
import { useHub } from './use-hub.js';

export { agentRights } from './keys.js';

/** Null: an observer. */
export type KeyOwner = string | null;

export interface KeyedHub {
  hub: HubInProcess;
  /** Of one of the hubs. */
  store: () => Store;
  makeKey: (agentId: KeyOwner, capabilities?: KeyCapability[], sessionId?: string) => Promise<TestKey>;
  makePerson: (id: string) => Promise<TestKey>;
  /** The text of a key that was made with `keys`. */
  key: (agentId: string) => string;
  post: (agentId: string, operation: string, input?: object) => Promise<HttpAnswer>;
  /** The result, or a failed test that shows the refusal. */
  call: (agentId: string, operation: string, input?: object) => Promise<HttpAnswer['body']>;
}

/** `keys`: by the name under which the test calls; `observer` is an observer's. */
export function useKeyedHub(keys: Record<string, KeyCapability[]>, options: HubInProcessOptions = {}): KeyedHub {
  let store: Store | undefined;
  const made = new Map<string, TestKey>();
  const { wrapStore } = options;
  const hub = useHub({ ...options, wrapStore: (opened) => (store = wrapStore?.(opened) ?? opened) });
  const opened = () => store ?? expect.unreachable('no hub runs');

  const keyed: KeyedHub = {
    hub,
    store: opened,
    makeKey: (agent, capabilities = agentRights, session = 'default') =>
      makeKey(opened(), { session, capabilities, ...(agent === null ? {} : { agent }) }),
    async makePerson(id) {
      const audit = cliAudit('default', 'people add', id);
      await opened().addPerson({ sessionId: 'default', id, name: null, at: Date.now(), audit });
      return makeKey(opened(), { agent: id, isPerson: true });
    },
    key: (agentId) => made.get(agentId)?.text ?? expect.unreachable(`no key for ${agentId}`),
    async post(agentId, operation, input = {}) {
      const response = await fetch(`${hub.url}/v1/${operation}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${keyed.key(agentId)}` },
        body: JSON.stringify(input),
      });
      return { status: response.status, body: await response.json() };
    },
    async call(agentId, operation, input) {
      const { status, body } = await keyed.post(agentId, operation, input);
      if (status !== 200) throw new Error(`${operation}: ${status} ${JSON.stringify(body)}`);
      return body;
    },
  };

  beforeAll(async () => {
    for (const [name, capabilities] of Object.entries(keys)) {
      made.set(name, await keyed.makeKey(capabilities.includes('observer') ? null : name, capabilities));
    }
    await keysSeen(hub.url);
    for (const [name, capabilities] of Object.entries(keys)) {
      if (!capabilities.includes('observer')) await keyed.call(name, 'register_agent');
    }
  });
  return keyed;
}
