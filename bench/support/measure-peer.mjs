// One peer, started fresh, measured and stopped, in a process of its own. Run by bench/peers.mjs, not by hand.
import { peers } from './peers/catalog.mjs';
import { Unavailable } from './peers/work.mjs';
import { text } from './send-path-shape.mjs';

const warmRounds = 100;
const warmMs = 1_000;
/** Long enough for a reader to have confirmed the last message, found nothing new, and be waiting, also on PostgreSQL, with several round trips. */
const settleMs = 15;
/** For a peer that takes long to wake: fewer rounds. */
const wakeMsMax = 30_000;

process.once('message', ({ name, runMs, rounds, concurrency }) => {
  const peer = peers.find((candidate) => candidate.name === name);
  const fail = async (error) => {
    if (error !== undefined) console.error(error);
    await peer.stop();
    process.exit(1);
  };
  // The bench's end, however it comes, is the server's too.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) process.once(signal, () => void fail());
  process.once('uncaughtException', (error) => void fail(error));
  run(peer, { runMs, rounds, concurrency }).then(async (figures) => {
    await peer.stop();
    process.removeAllListeners('disconnect');
    process.send?.(figures, () => process.exit(0));
  }, fail);
});

async function run(peer, { runMs, rounds, concurrency }) {
  try {
    await peer.start();
  } catch (error) {
    if (error instanceof Unavailable) return { unavailable: error.message };
    throw error;
  }
  // Wakes first, while nothing is stored.
  const wakes = await wakeTimes(peer, rounds);
  const perSecond = [];
  for (const count of concurrency) perSecond.push(await sendRate(peer, count, runMs));
  return { wakes, perSecond };
}

async function wakeTimes(peer, rounds) {
  const send = (await peer.waker?.()) ?? (await peer.sender(1));
  const waiter = await peer.waiter();
  const wake = (number) => wakeTime(waiter, send, `${text} ${number}`);
  await repeat(wake, { rounds: warmRounds, msMax: wakeMsMax / 10 });
  const times = await repeat(wake, { rounds, msMax: wakeMsMax });
  await waiter.close();
  return times;
}

/** From before the send to the reader's having it. */
async function wakeTime(waiter, send, message) {
  const received = waiter.next().then((got) => ({ got, at: performance.now() }));
  await pause(waiter.settleMs?.() ?? settleMs);
  const sentAt = performance.now();
  const [{ got, at }] = await Promise.all([received, send(message, 0)]);
  if (got !== message) throw new Error(`something else was delivered: ${JSON.stringify(got)}`);
  return at - sentAt;
}

async function repeat(measure, { rounds, msMax }) {
  const results = [];
  const begin = performance.now();
  while (results.length < rounds && performance.now() - begin < msMax) results.push(await measure(results.length));
  return results;
}

async function sendRate(peer, concurrency, runMs) {
  const send = await peer.sender(concurrency);
  const state = { sent: 0, isOver: false };
  const keepSending = async (_, index) => {
    while (!state.isOver) {
      await send(text, index);
      state.sent += 1;
    }
  };
  const sending = Promise.all(Array.from({ length: concurrency }, keepSending));
  await Promise.race([pause(warmMs), sending]);
  const [before, begin] = [state.sent, performance.now()];
  await Promise.race([pause(runMs), sending]);
  const perSecond = (state.sent - before) / ((performance.now() - begin) / 1000);
  state.isOver = true;
  await sending;
  return perSecond;
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
