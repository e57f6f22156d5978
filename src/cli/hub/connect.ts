// Calls the hub from a command: typed results, waits of any length, and error messages that name flags and commands.
import { HubClient, type CallOptions } from '../../client/hub-client.js';
import { requestInSlices } from '../../client/wait-in-slices.js';
import { commandClientId } from '../../contract/client-headers.js';
import { HubError, type ErrorCode } from '../../contract/errors.js';
import type { Operation, OutputOf } from '../../contract/operation.js';
import { operationCalled } from '../../contract/operations/index.js';
import type { HubChoice } from '../arguments/hub-flags.js';
import { explainNoHub, findHub } from './find-hub.js';

type Fields = Readonly<Record<string, unknown>>;

export interface ConnectedHub {
  readonly url: string;
  call<Op extends Operation>(operation: Op, fields: Fields, options?: CallOptions): Promise<OutputOf<Op>>;
  /** Also for operations unknown to this release. */
  callByName(name: string, fields: Fields, options?: CallOptions): Promise<Record<string, unknown>>;
}

/** `resultTokens` bounds an answer that is passed on to a model. */
export function connect(choice: HubChoice, { resultTokens }: { resultTokens?: number } = {}): ConnectedHub {
  const { agent, session, key } = choice;
  let found: HubClient | undefined;
  // Looked for with the first call: a mistake in the command line is reported also where no hub runs.
  const client = () =>
    (found ??= new HubClient({
      url: findHub(choice),
      clientId: commandClientId,
      ...(agent === undefined ? {} : { agent }),
      ...(session === undefined ? {} : { session }),
      ...(key === undefined ? {} : { key: key.text }),
      ...(resultTokens === undefined ? {} : { resultTokens }),
    }));

  async function callByName(
    name: string,
    fields: Fields,
    { signal }: CallOptions = {},
  ): Promise<Record<string, unknown>> {
    const { timeout_ms: timeoutMs, ...others } = fields;
    const input: Record<string, unknown> = timeoutMs === undefined ? { ...fields } : { ...others, timeoutMs };
    try {
      return await requestInSlices(
        (operation, sent, waitMsMax) => client().request(operation, sent, { waitMsMax, signal }),
        name,
        input,
      );
    } catch (error) {
      throw error instanceof HubError ? forCommandLine(error, choice) : error;
    }
  }

  return {
    get url() {
      return client().url;
    },
    callByName,
    async call<Op extends Operation>({ name }: Op, fields: Fields, options?: CallOptions): Promise<OutputOf<Op>> {
      // The hub follows this contract; validating again would refuse fields that a newer hub adds.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return (await callByName(name, fields, options)) as OutputOf<Op>;
    },
  };
}

/** The hub's errors name headers and URLs; here they must name flags. */
export function forCommandLine(error: HubError, choice: HubChoice): HubError {
  const { code, message, hint, details } = explainNoHub(error, choice);
  const said = { message, hint: withCommands(hint), ...saidOf(code, details, choice) };
  return new HubError(code, said.message, { hint: said.hint, details, cause: error });
}

const makeKey = 'On the hub’s machine: coterie keys create --agent NAME';

/** What a command says in place of the hub's own words. */
function saidOf(
  code: ErrorCode,
  { nearest }: HubError['details'],
  { key }: HubChoice,
): { message?: string; hint?: string } {
  if (code === 'IDENTITY_REQUIRED') {
    return { message: 'This command needs your name.', hint: 'Name yourself with --as NAME, or set COTERIE_AGENT.' };
  }
  if (code === 'KEY_REQUIRED') return { hint: `Set COTERIE_KEY, or give --key-file FILE. ${makeKey}` };
  if (code === 'KEY_INVALID' && key !== undefined) return { hint: `It is the one in ${key.source}. ${makeKey}` };
  if (code === 'IDENTITY_MISMATCH' && key !== undefined) {
    return {
      hint: `Leave out --as and --session (COTERIE_AGENT, COTERIE_SESSION), or use another key than the one in ${key.source}.`,
    };
  }
  if (code !== 'OPERATION_UNKNOWN') return {};
  return { hint: `${typeof nearest === 'string' ? `Did you mean ${nearest}? ` : ''}coterie help call lists all.` };
}

const commandOf: Readonly<Record<string, string>> = {
  send_message: 'send',
  wait_for_mentions: 'wait',
  get_messages: 'inbox',
  list_agents: 'agents',
  list_groups: 'groups',
  list_threads: 'threads',
  get_thread: 'thread',
  create_thread: 'thread create',
  join_thread: 'thread join',
  leave_thread: 'thread leave',
  close_thread: 'thread close',
  get_dead_letters: 'dead-letters',
  replay_dead_letter: 'dead-letters replay',
  discard_dead_letter: 'dead-letters discard',
  list_audit: 'audit',
  get_sent_messages: 'outbox',
  search_messages: 'search',
  create_key: 'keys create',
  list_keys: 'keys list',
  revoke_key: 'keys revoke',
  rotate_key: 'keys rotate',
  start_pairing: 'pair',
  list_devices: 'devices list',
  revoke_device: 'devices revoke',
  rename_device: 'devices rename',
  verify_device: 'devices verify',
  export_session: 'export',
  import_session: 'import',
  ask_question: 'ask',
  get_response: 'ask --resume',
  list_questions: 'questions',
  cancel_question: 'questions cancel',
  answer_question: 'answer',
  decline_question: 'answer --decline',
  send_alert: 'alert',
};

/** Replaces operation names in a hint by commands. */
function withCommands(hint: string): string {
  return hint.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) => {
    if (operationCalled(name) === undefined) return name;
    return `\`coterie ${commandOf[name] ?? `call ${name}`}\``;
  });
}
