// A hub with a fault, for the checker to find: it takes its time to return what it never sent, and then hands it out
// without a mark, after later messages. Takes the flags of `coterie serve`.
import { setTimeout as sleep } from 'node:timers/promises';
import { startHub } from '../../dist/compose.js';
import { loadConfig } from '../../dist/config.js';

const silent = { info() {}, warn() {}, error() {} };
const returnMs = 5;

function forgetful(store) {
  /** How often each copy was taken and never sent. */
  const unsent = new Map();
  const nameOf = ({ sessionId, agentId }, { seq }) => `${sessionId} ${agentId} ${seq}`;
  return {
    ...store,
    async releaseLease(lease) {
      if (!lease.unsent) return store.releaseLease(lease);
      for (const key of lease.keys) unsent.set(nameOf(lease, key), (unsent.get(nameOf(lease, key)) ?? 0) + 1);
      void sleep(returnMs).then(() => store.releaseLease({ ...lease, unsent: false }));
      return lease.keys.map(({ seq }) => seq);
    },
    async leaseCopies(request) {
      const found = await store.leaseCopies(request);
      const copies = found.copies.map((copy) => {
        const attempt = copy.attempt - (unsent.get(nameOf(request, copy.key)) ?? 0);
        return { ...copy, attempt, redelivered: attempt > 1 };
      });
      return { ...found, copies };
    },
  };
}

const [, , , ...flags] = process.argv;
const hub = await startHub({
  config: loadConfig(flags, {}),
  log: silent,
  wrapStore: forgetful,
  onBroken: () => process.exit(1),
});
process.stdout.write(`coterie ready ${hub.url}\n`);
