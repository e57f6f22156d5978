// What a HubClient and the bridge use to encrypt beside the agent.
import { HubError } from '../../contract/errors.js';
import { openMessages, openResponse } from './open-answers.js';
import { resultFor, sealCall, sealedOperations, type PlainCall } from './seal-call.js';
import type { SealingOptions, SendPlain } from './sealing.js';

export type { ProgramMemory, SealingOptions, SendPlain } from './sealing.js';
export { memoryOf } from './memory.js';

/** One per program and agent. */
export class Sealing {
  readonly #options: SealingOptions;
  /** Key ids of hubs that know this program's keys. */
  #isRegistered = false;

  constructor(options: SealingOptions) {
    this.#options = options;
  }

  /** Performs the call sealed; undefined if it has to go as it is. */
  async perform(send: SendPlain, call: PlainCall): Promise<Record<string, unknown> | undefined> {
    if (!sealedOperations.has(call.operation)) return undefined;
    const input = await sealCall(this.#options, send, call);
    if (input === undefined) return undefined;
    await this.#register(send);
    try {
      return resultFor(call.operation, await send('send_sealed', input));
    } catch (error) {
      // The hub has forgotten the keys, or is another one.
      if (!(error instanceof HubError) || error.details['fault'] !== 'unknown_sender') throw error;
      this.#isRegistered = false;
      await this.#register(send);
      return resultFor(call.operation, await send('send_sealed', input));
    }
  }

  /** The result of any operation, with the answers opened that are sealed for this program. */
  async open(send: SendPlain, operation: string, output: Record<string, unknown>): Promise<Record<string, unknown>> {
    if (operation === 'get_response') return openResponse(this.#options, send, output);
    if (operation === 'get_messages' || operation === 'wait_for_mentions') {
      return openMessages(this.#options, send, output);
    }
    return output;
  }

  async #register(send: SendPlain): Promise<void> {
    if (this.#isRegistered) return;
    const { kid, encryption, signing } = (await this.#options.memory.keys()).public;
    await send('set_agent_key', { kid, encryption, signing });
    this.#isRegistered = true;
  }
}
