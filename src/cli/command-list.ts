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
    rowSummary: 'run the hub; stop it; show which one is used here',
    load: async () => (await import('./hub-commands.js')).serve,
  },
  {
    name: 'stop',
    group: 'Hub',
    summary: 'stop the hub of a data folder',
    sharesRow: true,
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
    name: 'mcp',
    group: 'Hub',
    summary: 'MCP server on stdio for an agent; starts a hub if needed',
    rowSummary: 'MCP on stdio; connect a client; instruct an agent',
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
    name: 'prompt',
    group: 'Hub',
    summary: 'what to tell an agent, for CLAUDE.md or AGENTS.md',
    sharesRow: true,
    load: async () => (await import('./prompt.js')).prompt,
  },
  {
    name: 'keys',
    group: 'Hub',
    summary: 'make, list, revoke and rotate keys',
    rowSummary: 'make, list, revoke, rotate keys; register people',
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
    name: 'pair',
    group: 'Hub',
    summary: 'pair a phone or a browser with a person',
    rowSummary: 'pair a phone or browser; list, revoke devices',
    load: async () => (await import('./devices/pair.js')).pair,
  },
  {
    name: 'devices',
    group: 'Hub',
    summary: 'list, revoke, verify and rename paired devices',
    sharesRow: true,
    load: async () => (await import('./devices/devices.js')).devices,
  },
  {
    name: 'channels',
    group: 'Hub',
    summary: 'how pushes reach you: ntfy, webhooks, devices',
    load: async () => (await import('./channels/channels.js')).channels,
  },
  {
    name: 'migrate',
    group: 'Hub',
    summary: 'copy a data folder into PostgreSQL',
    rowSummary: 'copy a hub to PostgreSQL; back up, move a session',
    load: async () => (await import('./migrate.js')).migrateCommand,
  },
  {
    name: 'export',
    group: 'Hub',
    summary: 'write a session to a file',
    sharesRow: true,
    load: async () => (await import('./transfer/export.js')).exportCommand,
  },
  {
    name: 'import',
    group: 'Hub',
    summary: 'make a session of an exported file; convert messages of other frameworks',
    sharesRow: true,
    load: async () => (await import('./transfer/import.js')).importCommand,
  },
  {
    name: 'send',
    group: 'Talk',
    summary: 'send to an agent, a group or a thread',
    rowSummary: 'send a message; talk in a thread, live',
    load: async () => (await import('./send.js')).send,
  },
  {
    name: 'chat',
    group: 'Talk',
    summary: 'talk in a thread, live',
    sharesRow: true,
    load: async () => (await import('./chat.js')).chat,
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
    name: 'outbox',
    group: 'Talk',
    summary: 'what you sent, and the state of every copy',
    load: async () => (await import('./outbox.js')).outbox,
  },
  {
    name: 'ask',
    group: 'Talk',
    summary: 'ask a person, and wait for the answer',
    rowSummary: 'ask or notify a person; permission prompts',
    load: async () => (await import('./signal/ask.js')).ask,
  },
  {
    name: 'alert',
    group: 'Talk',
    summary: 'notify a person',
    sharesRow: true,
    load: async () => (await import('./signal/alert.js')).alert,
  },
  {
    name: 'hook',
    group: 'Talk',
    summary: 'put permission prompts of a client on your phone',
    sharesRow: true,
    load: async () => (await import('./hook/hook.js')).hook,
  },
  {
    name: 'questions',
    group: 'Talk',
    summary: 'list questions to people; take one back',
    rowSummary: 'list questions to people; answer one',
    load: async () => (await import('./signal/questions.js')).questions,
  },
  {
    name: 'answer',
    group: 'Talk',
    summary: 'answer a question, or decline to',
    sharesRow: true,
    load: async () => (await import('./signal/answer.js')).answer,
  },
  {
    name: 'agents',
    group: 'Look',
    summary: 'list agents, their presence and unread counts',
    rowSummary: 'list agents and their presence; list groups',
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
    rowSummary: 'find messages; list administrative acts',
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
    rowSummary: 'follow a session live; watch its throughput',
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
    rowSummary: 'list, create, close sessions; erase a message',
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
    name: 'call',
    group: 'More',
    summary: 'call any operation, with JSON in and out',
    rowSummary: 'call any operation; convert messages',
    load: async () => (await import('./call.js')).call,
  },
  {
    name: 'format',
    group: 'More',
    summary: 'convert messages for a model provider’s API',
    sharesRow: true,
    load: async () => (await import('./format.js')).format,
  },
  {
    name: 'doctor',
    group: 'More',
    summary: 'check setup and hub, suggest fixes',
    rowSummary: 'check setup and hub; watch three agents talk',
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
    rowSummary: 'tab completion; this overview, help of a command',
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
