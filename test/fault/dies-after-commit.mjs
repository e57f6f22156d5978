// A hub that is killed in the moment between a send's commit and its answer.
import { startHub } from '../../dist/compose.js';
import { loadConfig } from '../../dist/config.js';

const silent = { info() {}, warn() {}, error() {} };

const hub = await startHub({
  config: loadConfig(process.argv.slice(2), {}),
  log: silent,
  onBroken: (message) => console.error(message),
  wrapStore: (store) => ({
    ...store,
    async appendMessage(plan) {
      await store.appendMessage(plan);
      process.kill(process.pid, 'SIGKILL');
      return new Promise(() => {});
    },
  }),
});
console.log(`coterie ready ${hub.url}`);
