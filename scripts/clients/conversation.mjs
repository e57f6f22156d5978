// What every client's model does: it yields its next call and gets back what it was shown of the answer.
import { shownMail, textOf } from './shown.mjs';

/** A picture of one pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const words = 'The harbour crane is painted blue.';
const lateWords = 'The ferry has arrived.';
const afterKillWords = 'Still here after the restart.';
const keyedWords = 'The lock has a new key.';
const mailAfterMs = 100_000;
/** A model that is told to wait again does so; more often than this, the client makes it poll. */
const waitsMax = 6;

/** Fills `seen`, a field for each row of the table. */
export async function* conversation(hub, seen) {
  const picture = { type: 'image', mimeType: 'image/png', data: pixel };
  const mail = await hub.send([{ type: 'text', text: words }, picture]);
  seen.mail = shownMail(yield { call: 'get_messages', input: {} }, words);

  const second = yield { call: 'get_messages', input: {} };
  const isEmpty = !textOf(second).includes(words);
  const state = await hub.stateOf(mail);
  seen.second = `${isEmpty ? 'empty' : '**the mail again**'}; the sender sees it ${state === 'read' ? 'read' : `**${state}**`}`;

  const error = textOf(yield { call: 'get_thread', input: { threadId: 'no-such-thread' } });
  const isWhole = error.includes('NOT_FOUND') || error.includes('UNKNOWN');
  seen.error = `${error.includes('_meta') ? '**JSON with `_meta`**' : 'text'}${isWhole ? '' : ', **without its code**'}`;

  seen.wait = yield* waitForMail(hub);

  await hub.killAndStart();
  await hub.send([{ type: 'text', text: afterKillWords }]);
  const afterKill = textOf(yield { call: 'get_messages', input: {} });
  seen.afterKill = afterKill.includes(afterKillWords) ? 'the next call works' : `**${afterKill.slice(0, 80)}**`;
}

/** For a client with a key of its own. */
export async function* readOneMail(hub, seen) {
  await hub.send([{ type: 'text', text: keyedWords }]);
  const shown = textOf(yield { call: 'get_messages', input: {} });
  seen.key = shown.includes(keyedWords) ? 'reads its mail' : `**${shown.slice(0, 80)}**`;
}

/** For a client whose key is refused: what its model is sent is all that counts. */
export async function* sayNothing() {}

async function* waitForMail(hub) {
  const started = performance.now();
  let failure;
  const timer = setTimeout(() => {
    hub.send([{ type: 'text', text: lateWords }]).catch((error) => (failure = error));
  }, mailAfterMs);
  try {
    for (let waits = 1; waits <= waitsMax; waits += 1) {
      const shown = textOf(yield { call: 'wait_for_mentions', input: { timeoutMs: mailAfterMs + 15_000, for: 'all' } });
      if (failure !== undefined) throw failure;
      const seconds = Math.round((performance.now() - started) / 1000);
      if (shown.includes(lateWords))
        return `answered after ${seconds} s, with ${waits === 1 ? 'one call' : `${waits} calls`}`;
      if (waits === waitsMax) return `**not answered: ${shown.slice(0, 80)}**`;
    }
  } finally {
    clearTimeout(timer);
  }
  return '**not answered**';
}
