// coterie wait: waits until a message arrives or the timeout passes. A restart of the hub does not end the wait.
import { setTimeout as sleep } from 'node:timers/promises';
import { lostOutcomeOf } from '../client/unreachable.js';
import { operations } from '../contract/operations/index.js';
import { durationForm, readMs, switchFor } from './arguments/flag.js';
import { flagsFromContract } from './arguments/flags-from-contract.js';
import { hubFlags, readHubChoice, type HubChoice } from './arguments/hub-flags.js';
import { readArgs } from './arguments/read-args.js';
import type { Command, Description } from './command.js';
import { exitCodes } from './show/exit-code.js';
import { connect, type ConnectedHub } from './hub/connect.js';
import { printThenAcknowledge, type MessagesResult } from './hub/print-messages.js';
import { paintError } from './show/paint.js';
import { printJson, printNotice } from './show/print.js';
import { shortSpan } from './show/short-time.js';

const flags = [
  ...flagsFromContract(
    operations.waitForMentions,
    [
      {
        name: 'timeout',
        field: 'timeoutMs',
        value: 'TIME',
        help: 'how long (30s)',
        allowed: durationForm,
        read: readMs,
      },
      { name: 'all', field: 'for', help: 'plain thread posts too', ...switchFor('all') },
      { name: 'from', field: 'from', value: 'NAME', help: 'only from this agent' },
      { name: 'thread', field: 'threadId', value: 'ID', help: 'only from this thread' },
      { name: 'limit', field: 'limit', help: 'maximum number (50)' },
      { name: 'ack', field: 'ack', help: 'manual: you acknowledge' },
    ],
    ['view'],
  ),
  ...hubFlags,
];

const description: Description = {
  usage: '[options]',
  about: [
    'Prints your unread messages that wake you, or waits for one. Messages count as',
    `read once they are printed. Exit code ${exitCodes.done} with messages, ${exitCodes.timedOut} on timeout.`,
  ],
  flags,
  examples: [
    { line: 'coterie wait --as ben', does: 'up to 30 seconds' },
    { line: 'coterie wait --as ben --timeout 10m --from ann', does: 'ten minutes, from one sender' },
    { line: 'while coterie wait --as ben --timeout 1h --json; do :; done', does: 'one document per answer' },
  ],
};

const noticeMs = 500;
const timeoutMsDefault = 30_000;
/** How often to retry while the hub restarts. */
const retryMs = 250;
/** One request waits at most this long; see client/wait-in-slices.ts for why there is a limit. */
const requestMsMax = 110_000;

export const wait: Command = {
  describe: () => description,
  async run(argv) {
    const { own, fields } = readArgs(argv, { command: 'wait', flags });
    const choice = readHubChoice(own);
    const { timeoutMs = timeoutMsDefault, ...others } = fields;
    const waitMs = Number(timeoutMs);
    const isJson = own.has('json');
    // Unread messages return at once; only a real wait prints the notice.
    const noticeTimer = setTimeout(() => {
      if (process.stderr.isTTY && !isJson) {
        printNotice(paintError('dim', `Waiting up to ${shortSpan(waitMs / 1_000)} for messages. Ctrl-C ends it.`));
      }
    }, noticeMs);
    const waited = waitAcrossHubs(choice, { ...others, ack: 'manual' }, waitMs);
    const { hub, answer } = await waited.finally(() => clearTimeout(noticeTimer));
    if (answer.messages.length === 0) {
      if (isJson) await printJson(answer);
      else printNotice(`No messages within ${shortSpan(waitMs / 1_000)}. Run it again to keep waiting.`);
      return exitCodes.timedOut;
    }
    const lastLines = answer.hasMore ? ['More unread messages: run it again.'] : [];
    const lease = { hub, agentId: fields['agentId'], isManualAck: fields['ack'] === 'manual' };
    await printThenAcknowledge({ answer, isJson, lease, lastLines });
    return exitCodes.done;
  },
};

type Fields = Record<string, unknown>;

/** Repeats the request after its own limit and after the hub stopped or crashed, until the whole timeout has passed. */
async function waitAcrossHubs(
  choice: HubChoice,
  fields: Fields,
  waitMs: number,
): Promise<{ hub: ConnectedHub; answer: MessagesResult }> {
  const startedAt = performance.now();
  let next = fields;
  let hadHub = false;
  for (;;) {
    const leftMs = Math.max(0, Math.ceil(waitMs - (performance.now() - startedAt)));
    const requestMs = Math.min(leftMs, requestMsMax);
    try {
      const hub = connect(choice);
      const answer = await hub.call(operations.waitForMentions, { ...next, timeoutMs: requestMs });
      hadHub = true;
      // Rounded up, so that the total is never below the requested time.
      const waitedMs = Math.ceil(performance.now() - startedAt);
      if (answer.messages.length > 0 || waitedMs >= waitMs) return { hub, answer: { ...answer, waitedMs } };
      // The first request has used the cursor.
      const { cursor: _, ...rest } = next;
      next = rest;
      // A stopping hub answers early.
      if (answer.waitedMs < requestMs - retryMs) await sleep(Math.min(leftMs, retryMs));
    } catch (error) {
      const lost = lostOutcomeOf(error);
      if (lost === undefined || (lost === 'not_sent' && !hadHub) || leftMs <= 0) throw error;
      hadHub = true;
      await sleep(Math.min(leftMs, retryMs));
    }
  }
}
