// coterie inbox --hook: at the end of a turn, hands over mail that would wake the agent, instead of ending it. Silent, with exit
// code 0, if there is none or no hub answers: the turn ends as it would.
import { errorKinds, HubError, toHubError } from '../../contract/errors.js';
import { operations } from '../../contract/operations/index.js';
import type { Flag } from '../arguments/flag.js';
import { hubFlags, type HubChoice } from '../arguments/hub-flags.js';
import { readArgs } from '../arguments/read-args.js';
import { readStdin } from '../arguments/read-stdin.js';
import { connect, type ConnectedHub } from '../hub/connect.js';
import { hookChoice } from '../hub/hook-name.js';
import type { MessagesResult } from '../hub/print-messages.js';
import { exitCodes } from '../show/exit-code.js';
import { printJson, printNotice } from '../show/print.js';
import { parsedJson } from '../wake/parsed-json.js';
import { turnEndIn, type TurnEnd } from './turn-end-clients.js';
import { noteTimesInARow, timesInARow } from './turns-in-a-row.js';

const timesDefault = 3;
const timesMax = 100;

export const turnEndFlags: readonly Flag[] = [
  { name: 'hook', help: 'as a Stop hook of a client: hands over at the end of a turn' },
  {
    name: 'times',
    value: 'N',
    help: `with --hook: at most so often in a row (${timesDefault})`,
    allowed: `1 to ${timesMax}`,
    read: (value) => (/^[1-9]\d{0,2}$/.test(value) && Number(value) <= timesMax ? Number(value) : undefined),
  },
];

const flags = [...turnEndFlags, ...hubFlags];

/** A client waits for its hook, and a person for the client. */
const answerMsMax = 5_000;
/** Clients cut, or put aside, longer texts of a hook; what is beyond stays unread. */
const resultTokens = 2_000;
const messagesMax = 20;

const introduction =
  'Mail for you on Coterie, read now, at the end of your turn. Act on it and answer with send_message if it needs that; then end your turn.';

/** Exit code 2, that of a usage error, would continue the turn with the error. */
export async function deliverAtTurnEnd(argv: readonly string[]): Promise<number> {
  try {
    const { own } = readArgs(argv, { command: 'inbox --hook', flags });
    const turn = turnEndIn(parsedJson(await readStdin('the hook’s input')));
    const choice = turn && hookChoice(own, { client: turn.client, folder: turn.folder ?? process.cwd() });
    if (turn !== undefined && choice !== undefined)
      await deliver(turn, choice, Number(own.get('times') ?? timesDefault));
    return exitCodes.done;
  } catch (thrown) {
    if (thrown instanceof HubError && errorKinds[thrown.code].retry === 'later') return exitCodes.done;
    const { code, message, hint } = toHubError(thrown);
    printNotice(`${code}: ${message}\n${hint}`);
    return exitCodes.unhealthy;
  }
}

async function deliver(turn: TurnEnd, choice: HubChoice, times: number): Promise<void> {
  const before = turn.continued === 'unknown' ? timesInARow(turn.session) : turn.continued;
  if (before >= times) return;
  const hub = connect(choice, { resultTokens });
  const signal = AbortSignal.timeout(answerMsMax);
  const fields = { timeoutMs: 0, ack: 'manual', limit: messagesMax };
  const answer = await hub.call(operations.waitForMentions, fields, { signal });
  if (answer.messages.length === 0) return;
  const settle = (release: boolean) => settleLease(hub, answer, release);
  try {
    // Counted first: a hook that cannot count must not go on for ever.
    noteTimesInARow(turn.session, before + 1);
    await printJson(turn.write(textOf(answer)));
  } catch (error) {
    await settle(true).catch(() => {});
    throw error;
  }
  await settle(false);
}

async function settleLease(hub: ConnectedHub, { cursor }: MessagesResult, release: boolean): Promise<void> {
  if (cursor === null) return;
  await hub.call(operations.ackMessages, { cursor, release }, { signal: AbortSignal.timeout(answerMsMax) });
}

/** The same form in which an agent reads its mail with a tool. */
function textOf(answer: MessagesResult): string {
  const read = operations.waitForMentions.input.parse({ timeoutMs: 0 });
  const steps = operations.waitForMentions.next?.(answer, read) ?? [];
  return [introduction, operations.waitForMentions.text(answer, read), ...steps].join('\n\n');
}
