// coterie wait: until a message arrives or the time is up. A hub that restarts meanwhile does not end the wait.
import { setTimeout as sleep } from 'node:timers/promises';
import { lostOutcomeOf } from '../client/unreachable.js';
import { operations } from '../contract/operations/index.js';
import { durationForm, readMs, standsFor } from './arguments/flag.js';
import { flagsFromContract } from './arguments/flags-from-contract.js';
import { hubFlags, readHubChoice, type HubChoice } from './arguments/hub-flags.js';
import { readArgs } from './arguments/read-args.js';
import type { Command, Description } from './command.js';
import { exitCodes } from './exit-code.js';
import { connect, type HubLine } from './hub/connect.js';
import { writeThenAcknowledge, type HandedOut } from './hub/hand-out.js';
import { paintError } from './show/paint.js';
import { printJson, remark } from './show/print.js';
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
      { name: 'all', field: 'for', help: 'plain thread posts too', ...standsFor('all') },
      { name: 'from', field: 'from', value: 'NAME', help: 'only from this agent' },
      { name: 'thread', field: 'threadId', value: 'ID', help: 'only from this thread' },
      { name: 'limit', field: 'limit', help: 'at most so many (50)' },
      { name: 'ack', field: 'ack', help: 'manual: leave the acknowledging to you' },
    ],
    ['view'],
  ),
  ...hubFlags,
];

const description: Description = {
  usage: '[options]',
  about: [
    'Prints what is unread and meant for you, or waits for it. Messages count as read',
    `once they are printed. Exit code ${exitCodes.done} with messages, ${exitCodes.timedOut} when the time is up.`,
  ],
  flags,
  examples: [
    { line: 'coterie wait --as ben', does: 'up to 30 seconds' },
    { line: 'coterie wait --as ben --timeout 10m --from ann', does: 'ten minutes, for one sender' },
    { line: 'while coterie wait --as ben --timeout 1h --json; do :; done', does: 'one document per answer' },
  ],
};

const noticeMs = 500;
const timeoutMsStandard = 30_000;
/** A hub on its way back is looked for this often. */
const returnEveryMs = 250;
/** One request waits at most this long; see client/wait-in-slices.ts for why there is a limit. */
const requestMsMax = 110_000;

export const wait: Command = {
  describe: () => description,
  async run(argv) {
    const { own, fields } = readArgs(argv, { command: 'wait', flags });
    const choice = readHubChoice(own);
    const { timeoutMs = timeoutMsStandard, ...others } = fields;
    const waitMs = Number(timeoutMs);
    const isJson = own.has('json');
    // What is unread comes at once; only a wait that really waits says so.
    const patience = setTimeout(() => {
      if (process.stderr.isTTY && !isJson) {
        remark(paintError('dim', `Waiting up to ${shortSpan(waitMs / 1_000)} for messages. Ctrl-C ends it.`));
      }
    }, noticeMs);
    const waited = waitThrough(choice, { ...others, ack: 'manual' }, waitMs);
    const { hub, answer } = await waited.finally(() => clearTimeout(patience));
    if (answer.messages.length === 0) {
      if (isJson) await printJson(answer);
      else remark(`Nothing came within ${shortSpan(waitMs / 1_000)}. Run it again to go on waiting.`);
      return exitCodes.timedOut;
    }
    const lastLines = answer.hasMore ? ['More messages wait: run it again.'] : [];
    const lease = { hub, agentId: fields['agentId'], isLeftOpen: fields['ack'] === 'manual' };
    await writeThenAcknowledge({ answer, isJson, lease, lastLines });
    return exitCodes.done;
  },
};

type Fields = Record<string, unknown>;

/** Asks again when a request reached its limit, or the hub stopped or died, until the whole time has passed. */
async function waitThrough(
  choice: HubChoice,
  fields: Fields,
  waitMs: number,
): Promise<{ hub: HubLine; answer: HandedOut }> {
  const startedAt = performance.now();
  let next = fields;
  let hadHub = false;
  for (;;) {
    const leftMs = Math.max(0, Math.ceil(waitMs - (performance.now() - startedAt)));
    const askedMs = Math.min(leftMs, requestMsMax);
    try {
      const hub = connect(choice);
      const answer = await hub.ask(operations.waitForMentions, { ...next, timeoutMs: askedMs });
      hadHub = true;
      // Rounded up, so that the last answer is never short of what was asked.
      const waitedMs = Math.ceil(performance.now() - startedAt);
      if (answer.messages.length > 0 || waitedMs >= waitMs) return { hub, answer: { ...answer, waitedMs } };
      // The cursor has done its work.
      const { cursor: _, ...rest } = next;
      next = rest;
      // A hub that stops answers before the time it was asked for.
      if (answer.waitedMs < askedMs - returnEveryMs) await sleep(Math.min(leftMs, returnEveryMs));
    } catch (error) {
      const lost = lostOutcomeOf(error);
      if (lost === undefined || (lost === 'not_sent' && !hadHub) || leftMs <= 0) throw error;
      hadHub = true;
      await sleep(Math.min(leftMs, returnEveryMs));
    }
  }
}
