// Asks a person's devices about a tool call, and resolves with the decision, or why there is none. The question ends with this
// process: cancelled, or expired if it is killed.
import { join } from 'node:path';
import { nameFor } from '../../bridge/auto-name.js';
import { userFolder } from '../../config/which-folder.js';
import { operations } from '../../contract/operations/index.js';
import { programMemory } from '../../files/program-memory.js';
import { EnvelopeError } from '../../signal/envelope/index.js';
import type { HubChoice } from '../arguments/hub-flags.js';
import { connect } from '../hub/connect.js';
import { claimedName } from '../hub/hook-name.js';
import { awaitAnswer, type Answer } from '../signal/await-answer.js';
import { callHasResult } from './local-decision.js';
import { decisionOf, type Decision, type Prompt } from './prompt.js';
import { openAnswer, sealPrompt, type SealedPrompt } from './sealed-prompt.js';
import { trustedKeys } from './trusted-keys.js';

export interface Asking {
  choice: HubChoice;
  client: string;
  waitMs: number;
  to: string | undefined;
}

export type Outcome = { decision: Decision } | { why: string };

const endingSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** Claude Code kills a hook about a second after it has told it to end. */
const cancelMsMax = 800;

export async function askDevices(prompt: Prompt, asking: Asking): Promise<Outcome> {
  const ending = new AbortController();
  const endWith = (why: string) => () => ending.abort({ why });
  const timer = setTimeout(endWith('no one answered in time'), asking.waitMs);
  const told = endWith('the client ended the hook');
  for (const signal of endingSignals) process.once(signal, told);
  if (prompt.transcript !== undefined) {
    callHasResult(prompt.transcript, prompt.call, ending.signal).then(
      endWith('it was decided at the terminal'),
      () => {},
    );
  }
  try {
    return await ask(prompt, asking, ending.signal);
  } catch (error) {
    const reason: unknown = ending.signal.reason;
    if (ending.signal.aborted && isOutcome(reason)) return reason;
    return { why: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
    for (const signal of endingSignals) process.off(signal, told);
    ending.abort();
  }
}

async function ask(
  prompt: Prompt,
  { choice: given, client, waitMs, to }: Asking,
  signal: AbortSignal,
): Promise<Outcome> {
  const choice = withName(given, prompt, client);
  const keys = await programMemory(join(userFolder(process.env), 'signal', 'hook.json')).keys();
  const trusted = await trustedKeys(choice, { keys, to, signal });
  if (trusted.devices.length === 0) return { why: 'no verified device is paired' };
  const { devices, session } = trusted;
  const sealed = await sealPrompt(prompt, { keys, devices, session, expiresAt: Date.now() + waitMs });
  let answer: Answer | undefined;
  try {
    await connect(choice).call(
      operations.sendSealed,
      {
        kind: 'permission',
        id: sealed.id,
        envelope: sealed.envelope,
        optionCount: sealed.optionCount,
        callHash: sealed.callHash,
        replyKid: keys.public.kid,
        priority: 'high',
        ttl: Math.ceil(waitMs / 1_000),
        ...(to === undefined ? {} : { to: [to] }),
      },
      { signal },
    );
    answer = await awaitAnswer(choice, { questionId: sealed.id, waitMs, signal, hadHub: true });
  } finally {
    // Also if it is unknown whether it was asked.
    if (answer === undefined || answer.status === 'pending') await cancel(choice, sealed.id);
  }
  if (answer.status === 'pending') return { why: 'no one answered in time' };
  if (answer.status !== 'answered') return { why: `the question was ${answer.status}` };
  // Read again: the device may have been verified, or revoked, in the meantime.
  const { senders } = await trustedKeys(choice, { keys, to, signal });
  return decide(answer, sealed, () => openAnswer(answer.sealed, { prompt: sealed, keys, senders }));
}

async function decide(
  answer: Answer,
  { isCut, optionCount }: SealedPrompt,
  openSealed: () => ReturnType<typeof openAnswer>,
): Promise<Outcome> {
  const by = answer.on ?? answer.by ?? 'someone';
  try {
    const decision = decisionOf(await openSealed(), optionCount);
    if (decision === undefined) return { why: `${by} chose an option that was not offered` };
    if (isCut && decision.behavior !== 'deny')
      return { why: 'the call was not shown whole, so it cannot be allowed there' };
    return { decision };
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error;
    return { why: `the answer of ${by} does not count: ${error.message}` };
  }
}

/** The agent's own name, that of the client's bridge with `--agent auto`, or one like it. */
function withName(choice: HubChoice, { call }: Prompt, client: string): HubChoice {
  if (choice.agent !== undefined || choice.key !== undefined) return choice;
  const folder = call.cwd ?? process.cwd();
  return { ...choice, agent: claimedName(choice, { client, folder }) ?? nameFor(folder, client) };
}

async function cancel(choice: HubChoice, questionId: string): Promise<void> {
  const signal = AbortSignal.timeout(cancelMsMax);
  try {
    await connect(choice).call(operations.cancelQuestion, { questionId }, { signal });
  } catch {
    // It expires with its time.
  }
}

function isOutcome(value: unknown): value is { why: string } {
  return typeof value === 'object' && value !== null && 'why' in value;
}
