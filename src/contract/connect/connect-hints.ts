// How to connect a client, printed at start, by `coterie connect` and in the web app. Each line works from any folder.
// None contains a key: clients read it from the environment or ask for it.
import { clientEntries, keyFromEnvironment, vscodeKeyInput } from './client-entries.js';
import { placeholderId } from '../ids.js';
import { shellArgument } from '../shell-argument.js';

export interface ConnectHint {
  /** For `coterie connect`. */
  id: string;
  client: string;
  /** A command line, or the content of `file`. */
  text: string;
  /** The client's configuration file, where a line at the terminal will not do. */
  file?: string;
}

export interface HintedHub {
  /** Each agent needs a key, which also has its name. */
  hasKeys: boolean;
  /** What starts the `coterie` command. */
  command: readonly string[];
  /** What leads to this hub from any folder. */
  hubFlags: readonly string[];
  agent?: string | undefined;
}

export function connectHints(url: string, hub: HintedHub): ConnectHint[] {
  const agent = hub.agent ?? placeholderId;
  const name = hub.hasKeys ? [] : ['--agent', agent];
  const stdio = [...hub.command, 'mcp', ...name, ...hub.hubFlags].map((word) => shellArgument(word));
  return [
    ...(hub.hasKeys ? withKey(`${url}/mcp`) : withoutKey(`${url}/mcp?agent=${agent}`)),
    { id: 'stdio', client: 'any on stdio', text: stdio.join(' ') },
  ];
}

export const clientIds = ['claude', 'codex', 'gemini', 'vscode', 'copilot', 'opencode', 'stdio'] as const;

function withoutKey(address: string): ConnectHint[] {
  return [
    { id: 'claude', client: 'Claude Code', text: `claude mcp add --transport http coterie "${address}"` },
    { id: 'codex', client: 'Codex', text: `codex mcp add coterie --url "${address}"` },
    // In a folder that is not trusted Gemini ignores servers of the project.
    {
      id: 'gemini',
      client: 'Gemini CLI',
      text: `gemini mcp add --scope user --transport http coterie "${address}"`,
    },
    {
      id: 'vscode',
      client: 'VS Code',
      text: `code --add-mcp ${inDoubleQuotes(JSON.stringify({ name: 'coterie', type: 'http', url: address }))}`,
    },
    ...inFiles(address, false),
  ];
}

/** `npm run clients` tries each but that of VS Code; docs/clients.md has the versions. */
function withKey(url: string): ConnectHint[] {
  const header = `'Authorization: ${keyFromEnvironment}'`;
  return [
    // The option takes all that follows, so it comes last.
    {
      id: 'claude',
      client: 'Claude Code',
      text: `claude mcp add --transport http coterie "${url}" --header ${header}`,
    },
    { id: 'codex', client: 'Codex', text: `codex mcp add coterie --url "${url}" --bearer-token-env-var COTERIE_KEY` },
    {
      id: 'gemini',
      client: 'Gemini CLI',
      text: `gemini mcp add --scope user --transport http --header ${header} coterie "${url}"`,
    },
    {
      id: 'vscode',
      client: 'VS Code',
      file: '.vscode/mcp.json',
      text: JSON.stringify({ inputs: [vscodeKeyInput], servers: { coterie: clientEntries.vscode.http(url, true) } }),
    },
    ...inFiles(url, true),
  ];
}

function inFiles(url: string, hasKey: boolean): ConnectHint[] {
  const { copilot, opencode } = clientEntries;
  return [
    {
      id: 'copilot',
      client: 'Copilot CLI',
      file: '~/.copilot/mcp-config.json',
      text: JSON.stringify({ mcpServers: { coterie: copilot.http(url, hasKey) } }),
    },
    {
      id: 'opencode',
      client: 'OpenCode',
      file: 'opencode.json',
      text: JSON.stringify({ mcp: { coterie: opencode.http(url, hasKey) } }),
    },
  ];
}

const claudeNote = "claude -p asks for permission: claude -p --allowedTools 'mcp__coterie__*' …";

/** What is not seen from the lines. */
export function connectNotes(hasKeys: boolean): readonly string[] {
  if (!hasKeys) {
    return [
      `Give each agent its own name for ${placeholderId}. On stdio, --agent auto makes one of folder and client.`,
      claudeNote,
    ];
  }
  return [
    'No line contains a key. Set COTERIE_KEY to the agent’s key where its client starts; VS Code asks for it.',
    'A key has its agent’s name. On the hub’s machine: coterie keys create --agent NAME',
    claudeNote,
  ];
}

/** For POSIX shells and cmd.exe alike. In PowerShell, use single quotes and leave out the backslashes. */
function inDoubleQuotes(text: string): string {
  return `"${text.replaceAll('"', String.raw`\"`)}"`;
}
