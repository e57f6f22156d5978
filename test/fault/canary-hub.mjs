// A hub with a fault, for the checker to find: it takes every message as read the moment it is handed out, as a hub
// would that believes an answer arrived because its bytes were written. Takes the flags of `coterie serve`.
import { startHub } from '../../dist/compose.js';
import { loadConfig } from '../../dist/config.js';

const silent = { info() {}, warn() {}, error() {} };

function readAtHandOut(store) {
  return {
    ...store,
    async leaseCopies(request) {
      const found = await store.leaseCopies(request);
      if (!request.isManual && found.copies.length > 0) {
        const { sessionId, agentId, token, now } = request;
        const keys = found.copies.map(({ key }) => key);
        await store.confirmLease({ sessionId, agentId, token, keys, at: now });
      }
      return found;
    },
  };
}

const [, , , ...flags] = process.argv;
const hub = await startHub({
  config: loadConfig(flags, {}),
  log: silent,
  wrapStore: readAtHandOut,
  onBroken: () => process.exit(1),
});
process.stdout.write(`coterie ready ${hub.url}\n`);
