// One hub's send path on PostgreSQL, from the parsed draft to the stored message: 128 senders at once, in four sessions
// that all hubs of a run share. Hints to other hubs are published, as in a whole hub.
import { setLimits } from '../../dist/contract/limits.js';
import { operations } from '../../dist/contract/operations/index.js';
import { sendMessage } from '../../dist/message/send/send.js';
import { ParkedWaits } from '../../dist/message/wait/parked-waits.js';
import { systemClock } from '../../dist/runtime/system-clock.js';
import { openHubLink } from '../../dist/store/postgres/connection/hub-link.js';
import { openPostgresStore } from '../../dist/store/postgres/postgres-store.js';
import { AcrossHubs } from '../../dist/wakeup/across-hubs.js';
import { InProcessWakeup } from '../../dist/wakeup/in-process.js';
import { answer, batch, text, times } from './send-path-shape.mjs';

const ignore = () => {};
const sessions = ['s0', 's1', 's2', 's3'];

process.once('message', (shape) => void run(shape));

async function run({ url, index, members }) {
  // No one reads here.
  setLimits({ inbox: 1_000_000_000 });
  const store = await openPostgresStore({ url, onBatch() {}, onNotices() {}, onBug: console.error });
  const link = await openHubLink(url);
  const parked = new ParkedWaits();
  const wakeup = new AcrossHubs({
    link,
    local: new InProcessWakeup(parked),
    log: { info: ignore, warn: ignore, error: console.error },
    now: () => systemClock.now(),
    waiting: () => parked.readers(),
    signalReader: (session, agent) => parked.signalAll(session, agent),
  });
  const at = Date.now();
  const sender = `sender-${index}`;
  const readers = Array.from({ length: members }, (_, number) => `reader-${number}`);
  const threadId = `t-${index}`;
  for (const sessionId of sessions) {
    for (const id of [sender, ...readers]) {
      const nothing = { name: null, description: null, capabilities: null };
      await store.registerAgent({ sessionId, id, ...nothing, owner: 'open', at, onlyIfMissing: true });
    }
    const plain = { isAdmin: true, isPrivate: false, critical: null, opening: null, at, key: null };
    const thread = { sessionId, threadId, title: 'T', creator: sender, participants: readers, ...plain };
    if (members > 1) await store.createThread(thread);
  }
  const ports = {
    store,
    clock: systemClock,
    wakeup,
    isAwaited: (hint) => parked.hasMatch(hint),
    metrics: { countSend: ignore, copiesEnded: ignore },
    presenceOf: () => 'active',
    nextWakeOf: () => undefined,
  };
  const place = members > 1 ? { threadId } : { target: 'reader-0' };
  const state = { sent: 0, isOver: false };
  const senders = Array.from({ length: batch }, async (_, number) => {
    const capabilities = new Set(['send', 'admin']);
    const caller = { sessionId: sessions[number % 4], agentId: sender, capabilities, owner: 'open', connectAs: String };
    while (!state.isOver) {
      await sendMessage(ports, caller, operations.sendMessage.input.parse({ content: text, ...place }));
      state.sent += 1;
    }
  });
  const figures = await times(() => state.sent);
  state.isOver = true;
  await Promise.all(senders);
  wakeup.stop();
  await link.close();
  await store.close();
  answer(figures);
}
