// Imports messages of other frameworks and providers. The result is validated as strictly as agents' messages.
import { readMessages, type GivenMessage } from '../../contract/msg/read-messages.js';
import { requireKnown } from '../require-known.js';
import { fromAnthropic } from './anthropic.js';
import { fromOpenai } from './openai.js';
import { fromResponses, isResponses } from './openai-responses.js';

export const importSources = ['agentscope', 'openai', 'anthropic'] as const;
export type ImportSource = (typeof importSources)[number];

export function importMessages(document: unknown, from: ImportSource): GivenMessage[] {
  requireKnown('source', from, importSources);
  if (from === 'openai') return readMessages(isResponses(document) ? fromResponses(document) : fromOpenai(document));
  if (from === 'anthropic') return readMessages(fromAnthropic(document));
  // AgentScope has the same blocks as we have; only the spelling differs.
  return readMessages(document);
}
