// A command's way to the hub: typed answers, long waits in one call, and refusals in the words of the command line.
import { HubClient } from '../../client/hub-client.js';
import { requestInSlices } from '../../client/wait-in-slices.js';
import { HubError, type ErrorCode } from '../../contract/errors.js';
import type { Operation, OutputOf } from '../../contract/operation.js';
import { operationCalled } from '../../contract/operations/index.js';
import type { HubChoice } from '../arguments/hub-flags.js';
import { explainNoHub, findHub } from './find-hub.js';

type Fields = Readonly<Record<string, unknown>>;

export interface HubLine {
  readonly url: string;
  ask<Op extends Operation>(operation: Op, fields: Fields): Promise<OutputOf<Op>>;
  /** For operations this release may not know. */
  askByName(name: string, fields: Fields): Promise<Record<string, unknown>>;
}

export function connect(choice: HubChoice): HubLine {
  const { agent, session } = choice;
  const url = findHub(choice);
  const client = new HubClient({
    url,
    ...(agent === undefined ? {} : { agent }),
    ...(session === undefined ? {} : { session }),
  });

  async function askByName(name: string, fields: Fields): Promise<Record<string, unknown>> {
    const { timeout_ms: timeoutMs, ...others } = fields;
    const input: Record<string, unknown> = timeoutMs === undefined ? { ...fields } : { ...others, timeoutMs };
    try {
      return await requestInSlices(
        (operation, asked, waitMsMax) => client.request(operation, asked, { waitMsMax }),
        name,
        input,
      );
    } catch (error) {
      throw error instanceof HubError ? inOurWords(error, choice) : error;
    }
  }

  return {
    url,
    askByName,
    async ask<Op extends Operation>({ name }: Op, fields: Fields): Promise<OutputOf<Op>> {
      // The hub made it after this very contract; checking it again would refuse what a newer hub adds.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return (await askByName(name, fields)) as OutputOf<Op>;
    },
  };
}

/** The hub speaks of headers and addresses; here there are flags. */
function inOurWords(error: HubError, choice: HubChoice): HubError {
  const { code, message, hint, details } = explainNoHub(error, choice);
  return new HubError(code, message, { hint: hintFor(code, hint), details, cause: error });
}

function hintFor(code: ErrorCode, hint: string): string {
  if (code === 'IDENTITY_REQUIRED') return 'Say who you are with --as NAME, or set COTERIE_AGENT.';
  // This one is about names of operations, so they stay as they are.
  return code === 'OPERATION_UNKNOWN' ? hint : withCommands(hint);
}

const commandOf: Readonly<Record<string, string>> = {
  send_message: 'send',
  wait_for_mentions: 'wait',
  get_messages: 'inbox',
  list_agents: 'agents',
  list_groups: 'groups',
  list_threads: 'threads',
  get_thread: 'thread',
  get_dead_letters: 'dead-letters',
  replay_dead_letter: 'dead-letters replay',
  discard_dead_letter: 'dead-letters discard',
  get_sent_messages: 'outbox',
  search_messages: 'search',
};

/** A hint names the next operation to call; here that is a command. */
function withCommands(hint: string): string {
  return hint.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (word) => {
    if (operationCalled(word) === undefined) return word;
    return `\`coterie ${commandOf[word] ?? `call ${word}`}\``;
  });
}
