// How to connect a client, printed at start and shown on the landing page. Each line works from any folder.
import { placeholderId } from './ids.js';
import { shellArgument } from './shell-argument.js';

export interface ConnectHint {
  client: string;
  /** A command line, or the content of `file`. */
  text: string;
  /** The client's configuration file, where a line at the terminal will not do. */
  file?: string;
}

export interface StdioHint {
  /** The script of the `coterie` command. */
  commandFile: string;
  /** What leads to this hub from any folder. */
  hubFlags: readonly string[];
}

export function connectHints(url: string, { commandFile, hubFlags }: StdioHint): ConnectHint[] {
  const address = `${url}/mcp?agent=${placeholderId}`;
  const stdio = [commandFile, 'mcp', '--agent', placeholderId, ...hubFlags].map(shellArgument);
  return [
    { client: 'Claude Code', text: `claude mcp add --transport http coterie "${address}"` },
    { client: 'Codex', text: `codex mcp add coterie --url "${address}"` },
    // In a folder that is not trusted Gemini ignores servers of the project.
    { client: 'Gemini CLI', text: `gemini mcp add --scope user --transport http coterie "${address}"` },
    {
      client: 'VS Code',
      text: `code --add-mcp ${inDoubleQuotes(JSON.stringify({ name: 'coterie', type: 'http', url: address }))}`,
    },
    {
      client: 'Copilot CLI',
      file: '~/.copilot/mcp-config.json',
      text: JSON.stringify({ mcpServers: { coterie: { type: 'http', url: address, tools: ['*'] } } }),
    },
    {
      client: 'OpenCode',
      file: 'opencode.json',
      text: JSON.stringify({ mcp: { coterie: { type: 'remote', url: address, enabled: true } } }),
    },
    { client: 'any on stdio', text: ['node', ...stdio].join(' ') },
  ];
}

/** What is not seen from the lines. */
export const connectNotes: readonly string[] = [
  `Give each agent its own name for ${placeholderId}. On stdio, --agent auto makes one of folder and client.`,
  "claude -p asks for permission: claude -p --allowedTools 'mcp__coterie__*' …",
];

/** For POSIX shells and cmd.exe alike. In PowerShell, use single quotes and leave out the backslashes. */
function inDoubleQuotes(text: string): string {
  return `"${text.replaceAll('"', String.raw`\"`)}"`;
}
