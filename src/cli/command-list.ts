// Every command, in the order of the overview. Each is loaded only when it is run or described.
import type { Command } from './command.js';

export interface CommandEntry {
  readonly name: string;
  readonly group: 'Hub' | 'Talk' | 'Look' | 'More';
  readonly summary: string;
  /** Shares the overview row of the command before it. */
  readonly sharesRow?: boolean;
  /** The summary of a shared row. */
  readonly rowSummary?: string;
  readonly load: () => Promise<Command>;
}

export const commandList: readonly CommandEntry[] = [
  {
    name: 'serve',
    group: 'Hub',
    summary: 'run the hub',
    load: async () => (await import('./hub-commands.js')).serve,
  },
  {
    name: 'mcp',
    group: 'Hub',
    summary: 'MCP server on stdio for an agent; starts a hub if needed',
    rowSummary: 'MCP server on stdio for an agent; how clients connect',
    load: async () => (await import('./hub-commands.js')).mcp,
  },
  {
    name: 'connect',
    group: 'Hub',
    summary: 'how to connect a client, such as Claude Code or Codex',
    sharesRow: true,
    load: async () => (await import('./keys/connect-client.js')).connectClient,
  },
  {
    name: 'keys',
    group: 'Hub',
    summary: 'make, list, revoke and rotate keys',
    rowSummary: 'make, list, revoke and rotate keys; register people',
    load: async () => (await import('./keys/keys.js')).keys,
  },
  {
    name: 'people',
    group: 'Hub',
    summary: 'register people, and make keys for them',
    sharesRow: true,
    load: async () => (await import('./keys/people.js')).people,
  },
  {
    name: 'stop',
    group: 'Hub',
    summary: 'stop the hub of a data folder',
    rowSummary: 'stop the hub; show which hub and folder is used here',
    load: async () => (await import('./hub-commands.js')).stop,
  },
  {
    name: 'where',
    group: 'Hub',
    summary: 'show which hub and folder a command uses here, and why',
    sharesRow: true,
    load: async () => (await import('./where.js')).where,
  },
  {
    name: 'migrate',
    group: 'Hub',
    summary: 'copy a data folder into PostgreSQL',
    load: async () => (await import('./migrate.js')).migrateCommand,
  },
  {
    name: 'send',
    group: 'Talk',
    summary: 'send to an agent, a group or a thread',
    load: async () => (await import('./send.js')).send,
  },
  {
    name: 'wait',
    group: 'Talk',
    summary: 'wait for messages to you',
    rowSummary: 'wait for messages; read unread ones',
    load: async () => (await import('./wait.js')).wait,
  },
  {
    name: 'inbox',
    group: 'Talk',
    summary: 'read your unread messages',
    sharesRow: true,
    load: async () => (await import('./inbox.js')).inbox,
  },
  {
    name: 'chat',
    group: 'Talk',
    summary: 'talk in a thread, live',
    load: async () => (await import('./chat.js')).chat,
  },
  {
    name: 'outbox',
    group: 'Talk',
    summary: 'what you sent, and the state of every copy',
    load: async () => (await import('./outbox.js')).outbox,
  },
  {
    name: 'agents',
    group: 'Look',
    summary: 'list agents, their presence and unread counts',
    rowSummary: 'list agents, their presence; list groups, their members',
    load: async () => (await import('./agents.js')).agents,
  },
  {
    name: 'groups',
    group: 'Look',
    summary: 'list groups and their members',
    sharesRow: true,
    load: async () => (await import('./groups.js')).groups,
  },
  {
    name: 'threads',
    group: 'Look',
    summary: 'list threads',
    rowSummary: 'list threads; read, create, join or close one',
    load: async () => (await import('./threads.js')).threads,
  },
  {
    name: 'thread',
    group: 'Look',
    summary: 'read one of them; create, join, leave, close or reply',
    sharesRow: true,
    load: async () => (await import('./thread.js')).thread,
  },
  {
    name: 'dead-letters',
    group: 'Look',
    summary: 'list undelivered messages; replay or discard them',
    load: async () => (await import('./dead-letters.js')).deadLetters,
  },
  {
    name: 'search',
    group: 'Look',
    summary: 'find messages by their words',
    rowSummary: 'find messages by their words; list administrative acts',
    load: async () => (await import('./search.js')).search,
  },
  {
    name: 'audit',
    group: 'Look',
    summary: 'who did which administrative act, or read others’ mail',
    sharesRow: true,
    load: async () => (await import('./audit.js')).audit,
  },
  {
    name: 'tail',
    group: 'Look',
    summary: 'follow a session live',
    rowSummary: 'follow a session live; watch presence and throughput',
    load: async () => (await import('./tail.js')).tail,
  },
  {
    name: 'top',
    group: 'Look',
    summary: 'watch presence, unread counts and throughput',
    sharesRow: true,
    load: async () => (await import('./top.js')).top,
  },
  {
    name: 'sessions',
    group: 'More',
    summary: 'list, create or close sessions',
    rowSummary: 'list, create, close sessions; erase what a message says',
    load: async () => (await import('./session/sessions.js')).sessions,
  },
  {
    name: 'redact',
    group: 'More',
    summary: 'erase what a message says',
    sharesRow: true,
    load: async () => (await import('./session/redact.js')).redact,
  },
  {
    name: 'prompt',
    group: 'More',
    summary: 'what to tell an agent, for CLAUDE.md or AGENTS.md',
    rowSummary: 'what to tell an agent; call any operation with JSON',
    load: async () => (await import('./prompt.js')).prompt,
  },
  {
    name: 'call',
    group: 'More',
    summary: 'call any operation, with JSON in and out',
    sharesRow: true,
    load: async () => (await import('./call.js')).call,
  },
  {
    name: 'format',
    group: 'More',
    summary: 'convert messages for a model provider’s API',
    rowSummary: 'convert messages to and from other formats',
    load: async () => (await import('./format.js')).format,
  },
  {
    name: 'import',
    group: 'More',
    summary: 'make a session of an exported file; convert messages of other frameworks',
    sharesRow: true,
    load: async () => (await import('./transfer/import.js')).importCommand,
  },
  {
    name: 'export',
    group: 'More',
    summary: 'write a session to a file',
    rowSummary: 'back up or move a session: export, then import',
    load: async () => (await import('./transfer/export.js')).exportCommand,
  },
  {
    name: 'doctor',
    group: 'More',
    summary: 'check setup and hub, suggest fixes',
    rowSummary: 'check setup and hub; watch three scripted agents talk',
    load: async () => (await import('./doctor.js')).doctor,
  },
  {
    name: 'demo',
    group: 'More',
    summary: 'watch three scripted agents talk; needs no model',
    sharesRow: true,
    load: async () => (await import('./demo.js')).demo,
  },
  {
    name: 'completion',
    group: 'More',
    summary: 'a completion script for bash, zsh or fish',
    rowSummary: 'tab completion; this overview, or help of one command',
    load: async () => (await import('./completion.js')).completion,
  },
  {
    name: 'help',
    group: 'More',
    summary: 'this overview, or the help of one command',
    sharesRow: true,
    load: async () => (await import('./help.js')).help,
  },
];

export function findCommand(name: string): CommandEntry | undefined {
  return commandList.find((listed) => listed.name === name);
}
