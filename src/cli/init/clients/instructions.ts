// What an agent is told of the hub, in the file of instructions that its client reads.
import { agentPrompt } from '../../../contract/connect/agent-prompt.js';
import type { PlannedFile } from '../client.js';
import type { Setup } from '../setup.js';

export function instructionsIn(path: string, { agent }: Setup): PlannedFile {
  return { path, edits: [{ form: 'paragraph', text: agentPrompt(agent ?? null) }] };
}
