// The hub's own send path, from the parsed draft to the stored message: 256 senders at once.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setLimits } from '../../dist/contract/limits.js';
import { operations } from '../../dist/contract/operations/index.js';
import { sendMessage } from '../../dist/message/send/send.js';
import { ParkedWaits } from '../../dist/message/wait/parked-waits.js';
import { systemClock } from '../../dist/runtime/system-clock.js';
import { openSqliteStore } from '../../dist/store/sqlite/sqlite-store.js';
import { InProcessWakeup } from '../../dist/wakeup/in-process.js';
import { answer, batch, text, times } from './send-path-shape.mjs';

const ignore = () => {};

process.once('message', (shape) => void run(shape));

async function run({ members }) {
  // No one reads here.
  setLimits({ inbox: 1_000_000_000 });
  const folder = mkdtempSync(join(tmpdir(), 'coterie-bench-'));
  const store = await openSqliteStore({
    folder,
    storeMaxBytes: null,
    monotonicNow: systemClock.monotonic(),
    manualLeaseMs: 60_000,
    onBatch() {},
    onNotices() {},
    onBug: (command, stack) => console.error(command, stack),
    onBroken: (message) => console.error(message),
  });
  const at = Date.now();
  const ids = ['ann', ...Array.from({ length: members }, (_, index) => `reader-${index}`)];
  for (const id of ids) {
    await store.registerAgent({
      sessionId: 's',
      id,
      name: null,
      description: null,
      capabilities: null,
      owner: 'open',
      at,
      onlyIfMissing: false,
    });
  }
  const thread = {
    sessionId: 's',
    threadId: 't',
    title: 'T',
    creator: 'ann',
    isAdmin: true,
    participants: ids,
    isPrivate: false,
    critical: null,
    opening: null,
    at,
    key: null,
  };
  if (members > 1) await store.createThread(thread);
  const parked = new ParkedWaits();
  const ports = {
    store,
    clock: systemClock,
    wakeup: new InProcessWakeup(parked),
    isAwaited: (hint) => parked.hasMatch(hint),
    metrics: { countSend: ignore, copiesEnded: ignore },
    presenceOf: () => 'active',
    nextWakeOf: () => undefined,
  };
  const caller = {
    sessionId: 's',
    agentId: 'ann',
    capabilities: new Set(['send', 'admin']),
    owner: 'open',
    connectAs: String,
  };
  const place = members > 1 ? { threadId: 't' } : { target: 'reader-0' };
  const state = { sent: 0, isOver: false };
  const sender = async () => {
    while (!state.isOver) {
      const draft = operations.sendMessage.input.parse({ content: text, ...place });
      await sendMessage(ports, caller, draft);
      state.sent += 1;
    }
  };
  const senders = Array.from({ length: batch * 2 }, sender);
  const figures = await times(() => state.sent);
  state.isOver = true;
  await Promise.all(senders);
  await store.close();
  rmSync(folder, { recursive: true, force: true });
  answer(figures);
}
