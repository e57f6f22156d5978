// The provider format a caller wants, and how several speakers are distinguished in it.
import { z } from 'zod';

export const formatProviders = [
  'openai',
  'openai-responses',
  'anthropic',
  'gemini',
  'dashscope',
  'ollama',
  'deepseek',
] as const;
export const formatModes = ['chat', 'multiagent'] as const;
export const formatStyles = ['brackets', 'history'] as const;

export type FormatProvider = (typeof formatProviders)[number];
export type FormatMode = (typeof formatModes)[number];
export type FormatStyle = (typeof formatStyles)[number];

const choice = z.strictObject({
  provider: z.enum(formatProviders),
  mode: z.enum(formatModes).default('multiagent'),
  style: z.enum(formatStyles).default('brackets'),
  historyPrompt: z.string().max(2_000).optional(),
});

/** A provider name, or an object that also says how several speakers are distinguished. */
export const formatChoice = z
  .preprocess(
    (given: FormatProvider | z.input<typeof choice>) =>
      typeof given === 'string' ? { provider: given } : respelled(given),
    choice,
  )
  .meta({ anyOf: [{ type: 'string', enum: [...formatProviders] }, { type: 'object' }] });

export type FormatChoice = z.infer<typeof choice>;

function respelled(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || !('history_prompt' in given)) return given;
  const { history_prompt: historyPrompt, ...rest } = given;
  return { historyPrompt, ...rest };
}

/** The messages for a provider's API. `system` is set only where the API has a separate system field. */
export const formatted = z.object({
  messages: z.array(z.record(z.string(), z.unknown())),
  system: z.string().optional(),
  /** How many of the oldest messages the token budget left out. */
  leftOut: z.number().optional(),
});

export type Formatted = z.infer<typeof formatted>;
