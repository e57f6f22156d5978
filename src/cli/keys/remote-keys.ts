// Keys at a hub that was named by its URL: the operations of an administrator, with their key.
import { HubError } from '../../contract/errors.js';
import { operations } from '../../contract/operations/index.js';
import type { HubChoice } from '../arguments/hub-flags.js';
import { connect } from '../hub/connect.js';
import type { KeyOffice } from './key-office.js';

const pageSize = 100;

export function remoteKeys(choice: HubChoice): KeyOffice {
  // The session of the key decides; another is the one to administer.
  const { session, agent: _, ...unnamed } = choice;
  const hub = connect(unnamed);
  const place = hub.url;
  const within = session === undefined ? {} : { sessionId: session };
  return {
    place,
    async create({ capabilities, ...wanted }) {
      const { expiresAt, ...fields } = wanted;
      const { secret, key } = await hub.call(operations.createKey, {
        ...fields,
        ...within,
        ...(capabilities === undefined ? {} : { capabilities }),
        ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
      });
      return { secret, key, endsOpenMode: false, place };
    },
    createForPerson: () => Promise.reject(onlyThere('The key of a person is made')),
    async createLink(wanted) {
      const { fragment, opensUntil, key } = await hub.call(operations.createObserverLink, { ...wanted, ...within });
      return { fragment, opensUntil, key };
    },
    async list() {
      const keys = [];
      let cursor: string | null = null;
      do {
        const at: { cursor?: string } = cursor === null ? {} : { cursor };
        const page: { keys: Awaited<ReturnType<KeyOffice['list']>>; cursor: string | null } = await hub.call(
          operations.listKeys,
          { ...within, limit: pageSize, ...at },
        );
        keys.push(...page.keys);
        ({ cursor } = page);
      } while (cursor !== null);
      return keys;
    },
    revoke: async (keyId) => (await hub.call(operations.revokeKey, { ...within, keyId })).key,
    async rotate(keyId, overlap) {
      const { secret, key, replaced } = await hub.call(operations.rotateKey, { ...within, keyId, overlap });
      return { secret, key, replaced, endsOpenMode: false, place };
    },
    addPerson: () => Promise.reject(onlyThere('A person is registered')),
    async people() {
      const { agents } = await hub.call(operations.listAgents, {});
      return agents.filter(({ kind }) => kind === 'human').map(({ id, name }) => ({ id, name }));
    },
    close: () => Promise.resolve(),
  };
}

function onlyThere(what: string): HubError {
  return new HubError('FORBIDDEN', `${what} on the hub's machine, so that no agent can speak for one.`, {
    hint: 'Run it there, with --data DIR or --database URL in place of --url (COTERIE_URL).',
  });
}
