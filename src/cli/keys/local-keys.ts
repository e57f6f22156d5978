// Keys and people in the store itself, for whoever may write the data folder or the database: no key is needed for that, and
// the first one can be made in no other way.
import { viewKey } from '../../access/administer-keys.js';
import { decideKey, type WantedKey } from '../../access/decide-key.js';
import { makeKeyText } from '../../access/key-text.js';
import { linkAct, newObserverLink } from '../../access/observer-link.js';
import { defaultSessionId } from '../../contract/ids.js';
import type { AuditEntry } from '../../ports/audit.js';
import type { KeyStore } from '../../ports/keys.js';
import type { KeyOffice, MadeKey } from './key-office.js';

const pageSize = 500;

export function localKeys(store: KeyStore, chosenSession: string | undefined, place: string): KeyOffice {
  const sessionId = chosenSession ?? defaultSessionId;
  const make = async (wanted: WantedKey, isPerson: boolean): Promise<MadeKey> => {
    const at = Date.now();
    const { id, text, hash } = makeKeyText();
    const decided = decideKey(wanted, at, 'cli');
    const { agentId, capabilities, expiresAt } = decided;
    const audit = { ...entry(at, 'create_key', id), sessionId, details: { agentId, capabilities, expiresAt } };
    const { hasKeys } = await store.keyState();
    const use = { id, hash, sessionId, at, createdBy: 'cli', isOperator: true, isPerson, audit };
    const key = await store.createKey({ ...decided, ...use });
    const administeredBy = (await store.findSession({ sessionId }))?.createdBySession ?? null;
    return { secret: text, key: viewKey(key, at), endsOpenMode: !hasKeys, administeredBy, place };
  };
  return {
    place,
    create: (wanted) => make(wanted, false),
    createForPerson: (wanted) => make(wanted, true),
    async createLink(wanted) {
      const at = Date.now();
      const by = { maker: 'cli' as const, createdBy: 'cli', audit: entry(at, linkAct, '') };
      const { plan, fragment } = newObserverLink({ ...wanted, sessionId, at }, by);
      const key = await store.createObserverLink(plan);
      return { fragment, opensUntil: new Date(plan.link.expiresAt).toISOString(), key: viewKey(key, at) };
    },
    async list() {
      const now = Date.now();
      const keys = [];
      let before: (string | number)[] | null = null;
      do {
        const page = await store.listKeys({ sessionId: chosenSession ?? null, limit: pageSize, before });
        keys.push(...page.keys.map((key) => viewKey(key, now)));
        ({ before } = page);
      } while (before !== null);
      return keys;
    },
    async revoke(id) {
      const at = Date.now();
      const key = await store.revokeKey({
        sessionId: chosenSession ?? null,
        id,
        at,
        audit: entry(at, 'revoke_key', id),
      });
      return viewKey(key, at);
    },
    async rotate(replaces, overlapSeconds) {
      const at = Date.now();
      const { id, text, hash } = makeKeyText();
      const { key, replaced } = await store.rotateKey({
        sessionId: chosenSession ?? null,
        replaces,
        oldUntil: at + overlapSeconds * 1_000,
        id,
        hash,
        at,
        createdBy: 'cli',
        expiresAtMax: null,
        isOperator: true,
        audit: { ...entry(at, 'rotate_key', replaces), details: { newKeyId: id } },
      });
      return { secret: text, key: viewKey(key, at), replaced: viewKey(replaced, at), endsOpenMode: false, place };
    },
    async addPerson(id, name) {
      const at = Date.now();
      const audit = { ...entry(at, 'add_person', id), sessionId };
      const { agent, isNew } = await store.addPerson({ sessionId, id, name, at, audit });
      return { id: agent.id, name: agent.name, sessionId, isNew };
    },
    async people() {
      const agents = await store.listAgents({ sessionId, group: null, now: Date.now() });
      return agents.filter(({ kind }) => kind === 'human').map(({ id, name }) => ({ id, name }));
    },
    close: () => store.close(),
  };
}

function entry(at: number, act: string, target: string): Omit<AuditEntry, 'sessionId'> {
  return { at, actor: 'cli', keyId: null, address: '', act, target, details: {} };
}
