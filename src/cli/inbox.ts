// coterie inbox: what is unread, or a look at it, without waiting.
import { operations } from '../contract/operations/index.js';
import { standsFor } from './arguments/flag.js';
import { flagsFromContract } from './arguments/flags-from-contract.js';
import { hubFlags, readHubChoice, type HubChoice } from './arguments/hub-flags.js';
import { readArgs } from './arguments/read-args.js';
import type { Command, Description } from './command.js';
import { connect, type HubLine } from './hub/connect.js';
import { writeThenAcknowledge, type HandedOut } from './hub/hand-out.js';

const flags = [
  ...flagsFromContract(
    operations.getMessages,
    [
      { name: 'peek', field: 'markAsRead', help: 'look, and leave all unread', ...standsFor(false) },
      { name: 'recent', field: 'include', help: 'your last 100, read or not', ...standsFor('recent') },
      { name: 'thread', field: 'threadId', value: 'ID', help: 'only from this thread' },
      { name: 'type', field: 'messageType', help: 'only of this type' },
      { name: 'priority', field: 'priority', help: 'only of this priority' },
      { name: 'to', field: 'target', value: 'NAME', help: 'only what was sent to this id or group' },
      { name: 'limit', field: 'limit', help: 'at most so many (50)' },
      { name: 'ack', field: 'ack', help: 'manual: leave the acknowledging to you' },
    ],
    ['view'],
  ),
  { name: 'of', value: 'NAME', help: 'look into another’s inbox; changes nothing' },
  ...hubFlags,
];

const description: Description = {
  usage: '[options]',
  about: [
    'Prints your unread messages: interrupts first, then by priority, then oldest',
    'first. They count as read once they are printed.',
  ],
  flags,
  examples: [
    { line: 'coterie inbox --as ben', does: 'read' },
    { line: 'coterie inbox --as ben --peek', does: 'look without reading' },
    { line: 'coterie inbox --as ben --recent --json | jq .messages', does: 'look again, in a program' },
  ],
};

export const inbox: Command = {
  describe: () => description,
  async run(argv) {
    const { own, fields } = readArgs(argv, { command: 'inbox', flags });
    const choice = readHubChoice(own);
    const hub = connect(choice);
    const other = own.get('of');
    const asked = other === undefined ? fields : { ...fields, sessionId: other, markAsRead: false };
    const answer = await hub.ask(operations.getMessages, { ...asked, ack: 'manual' });
    const isLook = asked['markAsRead'] === false || asked['include'] === 'recent';
    const reader = String(asked['sessionId'] ?? choice.agent ?? asked['agentId']);
    await writeThenAcknowledge({
      answer,
      isJson: own.has('json'),
      lastLines: nextLines(answer, reader, isLook),
      ...(isLook ? {} : { lease: leaseOf(hub, { choice, reader, isLeftOpen: fields['ack'] === 'manual' }) }),
    });
    return 0;
  },
};

/** A lease is its reader's to acknowledge, whoever reads in the reader's name. */
function leaseOf(
  hub: HubLine,
  { choice, reader, isLeftOpen }: { choice: HubChoice; reader: string; isLeftOpen: boolean },
) {
  if (choice.agent === reader) return { hub, agentId: undefined, isLeftOpen };
  const { agent: _, ...unnamed } = choice;
  return { hub: connect(unnamed), agentId: reader, isLeftOpen };
}

function nextLines({ messages, hasMore, cursor }: HandedOut, reader: string, isLook: boolean): string[] {
  if (messages.length === 0) {
    return [
      `No unread messages for ${reader}.`,
      `Wait for the next: coterie wait --as ${reader}`,
      `Look again at what was read: coterie inbox --as ${reader} --recent`,
    ];
  }
  if (!hasMore) return [];
  return [
    '',
    isLook ? `More: coterie inbox --as ${reader} --peek --cursor ${cursor}` : 'More messages wait: run it again.',
  ];
}
