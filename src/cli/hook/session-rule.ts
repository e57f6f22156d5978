// "Allow for this session" as a permission rule of Claude Code. Never wider than what the person read.
import { statSync } from 'node:fs';
import { normalize } from 'node:path';
import type { ToolCall } from '../../contract/signal/signal.js';
import type { Prompt } from './prompt.js';

type SessionRule = Pick<Prompt, 'sessionScope' | 'sessionRule'>;

/** Tools whose input has the path of the file that they change. Rules for Edit hold for all of them. */
const fileTools = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);
/** Would make a rule of a command or a path into a pattern for others. */
const patternCharacters = /[*?[\]{}()!\\\n]|:$/;

/** Empty where a rule would allow more than this command, file or tool. */
export function sessionRuleOf({ tool, input }: ToolCall): SessionRule {
  const { command, file_path: file, notebook_path: notebook } = fieldsOf(input);
  if (tool === 'Bash') {
    return isPlain(command) ? ruleFor({ toolName: tool, ruleContent: command }, 'this command') : {};
  }
  const path = file ?? notebook;
  if (fileTools.has(tool)) {
    if (!isPlain(path) || !isOneFile(path)) return {};
    // Two slashes: from the root of the file system, not of the project.
    return ruleFor({ toolName: 'Edit', ruleContent: `/${path}` }, `changes of ${path}`);
  }
  return tool.startsWith('mcp__') && isPlain(tool) ? ruleFor({ toolName: tool }, `every call of ${tool}`) : {};
}

/** A rule for a folder allows changes of all that is in it, and spaces at the end of a rule do not count. */
function isOneFile(path: string): boolean {
  if (!path.startsWith('/') || path !== normalize(path) || /[/\s]$/.test(path)) return false;
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true;
  } catch {
    return false;
  }
}

function ruleFor(rule: { toolName: string; ruleContent?: string }, scope: string): SessionRule {
  return {
    sessionScope: scope,
    sessionRule: { type: 'addRules', rules: [rule], behavior: 'allow', destination: 'session' },
  };
}

function isPlain(text: unknown): text is string {
  return typeof text === 'string' && text !== '' && !patternCharacters.test(text);
}

function fieldsOf(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
