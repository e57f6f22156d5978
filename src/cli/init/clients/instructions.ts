// What an agent is told of the hub, in the file of instructions that its client reads.
import { agentPrompt } from '../../../contract/connect/agent-prompt.js';
import type { PlannedFile } from '../client.js';
import type { Setup } from '../setup.js';

/** Several clients read the same file of a project, AGENTS.md or a link to it: it names none of their agents. */
export function instructionsIn(path: string, { agent, scope }: Setup): PlannedFile {
  const named = scope === 'user' ? (agent ?? null) : null;
  return { path, edits: [{ form: 'paragraph', text: agentPrompt(named) }] };
}
