// The clients whose hooks may decide a permission prompt, and the form of each: what it sends, what it expects back.
import type { Decision, Prompt } from './prompt.js';
import { sessionRuleOf } from './session-rule.js';

type Fields = Readonly<Record<string, unknown>>;

export interface HookClient {
  title: string;
  /** Below the time after which the client ends the hook, and as long as a person at the terminal may be kept waiting. */
  waitSeconds: number;
  /** Undefined if this is not a permission prompt. */
  read(input: Fields): Prompt | undefined;
  /** The JSON for stdout. */
  write(decision: Decision, prompt: Prompt): unknown;
}

export const hookClients: Readonly<Record<string, HookClient>> = {
  claude: {
    title: 'Claude Code',
    // It ends a hook after 600 s, and shows its own prompt all the time.
    waitSeconds: 590,
    read(input) {
      const prompt = snakeCasePrompt(input);
      return prompt === undefined ? undefined : { ...prompt, ...sessionRuleOf(prompt.call) };
    },
    write: (decision, { sessionRule }) =>
      hookOutput(
        decision.behavior === 'allow-session'
          ? { behavior: 'allow', ...(sessionRule === undefined ? {} : { updatedPermissions: [sessionRule] }) }
          : decision,
      ),
  },
  codex: {
    title: 'Codex',
    // Its own prompt comes after the hook.
    waitSeconds: 60,
    read: snakeCasePrompt,
    // `updatedPermissions` is reserved there, and makes it refuse the call.
    write: (decision) => hookOutput(decision.behavior === 'deny' ? decision : { behavior: 'allow' }),
  },
  copilot: {
    title: 'Copilot CLI',
    // It ends a hook after 30 s unless `timeoutSec` says otherwise; its own prompt comes after the hook.
    waitSeconds: 25,
    read: (input) => promptOf(input['toolName'] ?? input['tool_name'], argumentsOf(input), input['cwd']),
    write: (decision) => (decision.behavior === 'deny' ? decision : { behavior: 'allow' }),
  },
};

function hookOutput(decision: unknown): unknown {
  return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } };
}

function snakeCasePrompt(input: Fields): Prompt | undefined {
  if (input['hook_event_name'] !== 'PermissionRequest') return undefined;
  const prompt = promptOf(input['tool_name'], input['tool_input'], input['cwd']);
  const { transcript_path: transcript } = input;
  return prompt === undefined || typeof transcript !== 'string' ? prompt : { ...prompt, transcript };
}

function argumentsOf(input: Fields): unknown {
  return input['toolInput'] ?? input['tool_input'] ?? input['toolArgs'];
}

function promptOf(tool: unknown, input: unknown, cwd: unknown): Prompt | undefined {
  if (typeof tool !== 'string' || input === undefined) return undefined;
  const text = typeof input === 'string' ? input : JSON.stringify(input, null, 2);
  return { call: { tool, input: text, cwd: typeof cwd === 'string' ? cwd : null } };
}
