// Every command in the order a newcomer would meet them. Each is loaded only when it is run or described.
import type { Command } from './command.js';

export interface Listed {
  readonly name: string;
  readonly group: 'Hub' | 'Talk' | 'Look' | 'More';
  readonly summary: string;
  /** Stands in the overview on the row of the command before it, which then says what both do. */
  readonly isBesides?: boolean;
  /** What the row says, when others share it. */
  readonly rowSummary?: string;
  readonly load: () => Promise<Command>;
}

export const commandList: readonly Listed[] = [
  {
    ...{ name: 'serve', group: 'Hub', summary: 'run the hub' },
    load: async () => (await import('./hub-commands.js')).serve,
  },
  {
    ...{ name: 'mcp', group: 'Hub', summary: 'speak MCP on stdio for an agent; starts a hub if needed' },
    load: async () => (await import('./hub-commands.js')).mcp,
  },
  {
    ...{ name: 'stop', group: 'Hub', summary: 'end the hub of a data folder' },
    load: async () => (await import('./hub-commands.js')).stop,
  },
  {
    ...{ name: 'migrate', group: 'Hub', summary: 'copy a data folder into PostgreSQL' },
    load: async () => (await import('./migrate.js')).migrateCommand,
  },
  {
    ...{ name: 'send', group: 'Talk', summary: 'send to an agent, a group or a thread' },
    load: async () => (await import('./send.js')).send,
  },
  {
    ...{ name: 'wait', group: 'Talk', summary: 'wait for messages meant for you' },
    load: async () => (await import('./wait.js')).wait,
  },
  {
    ...{ name: 'inbox', group: 'Talk', summary: 'read your unread messages' },
    load: async () => (await import('./inbox.js')).inbox,
  },
  {
    ...{ name: 'outbox', group: 'Talk', summary: 'what you sent, and where every copy stands' },
    load: async () => (await import('./outbox.js')).outbox,
  },
  {
    ...{ name: 'agents', group: 'Look', summary: 'who is here, who waits, who has unread mail' },
    load: async () => (await import('./agents.js')).agents,
  },
  {
    ...{ name: 'groups', group: 'Look', summary: 'what one can send to, and who receives it' },
    load: async () => (await import('./groups.js')).groups,
  },
  {
    ...{ name: 'threads', group: 'Look', summary: 'list the conversations' },
    rowSummary: 'list the conversations, read one of them',
    load: async () => (await import('./threads.js')).threads,
  },
  {
    ...{ name: 'thread', group: 'Look', summary: 'read one of them', isBesides: true },
    load: async () => (await import('./thread.js')).thread,
  },
  {
    ...{ name: 'dead-letters', group: 'Look', summary: 'what was not delivered; replay or discard it' },
    load: async () => (await import('./dead-letters.js')).deadLetters,
  },
  {
    ...{ name: 'search', group: 'Look', summary: 'find messages by their words' },
    load: async () => (await import('./search.js')).search,
  },
  {
    ...{ name: 'tail', group: 'Look', summary: 'follow a session live' },
    load: async () => (await import('./tail.js')).tail,
  },
  {
    ...{ name: 'top', group: 'Look', summary: 'watch presence, unread mail and throughput' },
    load: async () => (await import('./top.js')).top,
  },
  {
    ...{ name: 'call', group: 'More', summary: 'any operation, with JSON in and out' },
    load: async () => (await import('./call.js')).call,
  },
  {
    ...{ name: 'format', group: 'More', summary: 'messages as a model provider’s API takes them' },
    rowSummary: 'messages to a provider’s form, and from others’',
    load: async () => (await import('./format.js')).format,
  },
  {
    ...{ name: 'import', group: 'More', summary: 'other frameworks’ messages as ours', isBesides: true },
    load: async () => (await import('./import.js')).importCommand,
  },
  {
    ...{ name: 'doctor', group: 'More', summary: 'find out what is wrong, and how to fix it' },
    load: async () => (await import('./doctor.js')).doctor,
  },
  {
    ...{ name: 'demo', group: 'More', summary: 'watch three scripted agents talk; needs no model' },
    load: async () => (await import('./demo.js')).demo,
  },
  {
    ...{ name: 'completion', group: 'More', summary: 'a completion script for bash, zsh or fish' },
    rowSummary: 'tab completion; this overview, or help of one command',
    load: async () => (await import('./completion.js')).completion,
  },
  {
    ...{ name: 'help', group: 'More', summary: 'this overview, or the help of one command', isBesides: true },
    load: async () => (await import('./help.js')).help,
  },
];

export function commandCalled(name: string): Listed | undefined {
  return commandList.find((listed) => listed.name === name);
}
