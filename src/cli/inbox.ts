// coterie inbox: reads or peeks at unread messages, without waiting.
import { operations } from '../contract/operations/index.js';
import { switchFor } from './arguments/flag.js';
import { flagsFromContract } from './arguments/flags-from-contract.js';
import { hubFlags, readHubChoice, type HubChoice } from './arguments/hub-flags.js';
import { readArgs } from './arguments/read-args.js';
import type { Command, Description } from './command.js';
import { connect, type ConnectedHub } from './hub/connect.js';
import { ownName } from './hub/own-name.js';
import { printThenAcknowledge, type MessagesResult } from './hub/print-messages.js';
import { deliverAtTurnEnd, turnEndFlags } from './turn-end/turn-end.js';

const flags = [
  ...flagsFromContract(
    operations.getMessages,
    [
      { name: 'peek', field: 'markAsRead', help: 'leave all unread', ...switchFor(false) },
      { name: 'recent', field: 'include', help: 'your last 100, read or not', ...switchFor('recent') },
      { name: 'thread', field: 'threadId', value: 'ID', help: 'only from this thread' },
      { name: 'type', field: 'messageType', help: 'only of this type' },
      { name: 'priority', field: 'priority', help: 'only of this priority' },
      { name: 'to', field: 'target', value: 'NAME', help: 'only what was sent to this id or group' },
      { name: 'limit', field: 'limit', help: 'maximum number (50)' },
      { name: 'ack', field: 'ack', help: 'manual: you acknowledge' },
    ],
    ['view'],
  ),
  { name: 'of', value: 'NAME', help: 'show another agent’s inbox; changes nothing' },
  ...turnEndFlags,
  ...hubFlags,
];

const description: Description = {
  usage: '[options]',
  about: [
    'Prints your unread messages: interrupts first, then by priority, then oldest',
    'first. They count as read once they are printed. With --hook it reads the input',
    'of a client’s hook, and prints mail that wakes you in a form that continues the',
    'turn: for Claude Code, Codex, Cursor and Gemini CLI.',
  ],
  flags,
  examples: [
    { line: 'coterie inbox --as ben', does: 'read' },
    { line: 'coterie inbox --as ben --peek', does: 'leave them unread' },
    { line: 'coterie inbox --as ben --recent --json | jq .messages', does: 'read or not, for a program' },
    { line: 'coterie inbox --as ben --hook', does: 'as the Stop hook of a client' },
  ],
};

export const inbox: Command = {
  describe: () => description,
  async run(argv) {
    if (argv.includes('--hook')) return deliverAtTurnEnd(argv);
    const { own, fields } = readArgs(argv, { command: 'inbox', flags });
    const choice = readHubChoice(own);
    const hub = connect(choice);
    const other = own.get('of');
    const requested = other === undefined ? fields : { ...fields, sessionId: other, markAsRead: false };
    const answer = await hub.call(operations.getMessages, { ...requested, ack: 'manual' });
    const isPeek = requested['markAsRead'] === false || requested['include'] === 'recent';
    const named = requested['sessionId'] ?? requested['agentId'];
    const reader = typeof named === 'string' ? named : String(await ownName(choice));
    await printThenAcknowledge({
      answer,
      isJson: own.has('json'),
      lastLines: nextLines(answer, reader, isPeek),
      ...(isPeek ? {} : { lease: leaseOf(hub, { choice, reader, isManualAck: fields['ack'] === 'manual' }) }),
    });
    return 0;
  },
};

/** Only the reader itself may acknowledge its lease. */
function leaseOf(
  hub: ConnectedHub,
  { choice, reader, isManualAck }: { choice: HubChoice; reader: string; isManualAck: boolean },
) {
  if (choice.agent === reader) return { hub, agentId: undefined, isManualAck };
  const { agent: _, ...unnamed } = choice;
  return { hub: connect(unnamed), agentId: reader, isManualAck };
}

function nextLines({ messages, hasMore, cursor }: MessagesResult, reader: string, isPeek: boolean): string[] {
  if (messages.length === 0) {
    return [
      `No unread messages for ${reader}.`,
      `Wait for the next: coterie wait --as ${reader}`,
      `Show read messages again: coterie inbox --as ${reader} --recent`,
    ];
  }
  if (!hasMore) return [];
  return [
    '',
    isPeek ? `More: coterie inbox --as ${reader} --peek --cursor ${cursor}` : 'More unread messages: run it again.',
  ];
}
