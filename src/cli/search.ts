// coterie search: full-text search, best match first. Changes no inbox.
import type { OutputOf } from '../contract/operation.js';
import { operations } from '../contract/operations/index.js';
import { showSnippets } from '../contract/text/snippets.js';
import { flagsFromContract } from './arguments/flags-from-contract.js';
import { hubFlags, readHubChoice } from './arguments/hub-flags.js';
import { readArgs } from './arguments/read-args.js';
import { usage } from './arguments/usage.js';
import type { Command, Description } from './command.js';
import { connect } from './hub/connect.js';
import { ThreadTitles } from './hub/thread-titles.js';
import { messageLine, whoColumns } from './show/message-text.js';
import { printJson, printLines } from './show/print.js';

const flags = [
  ...flagsFromContract(
    operations.searchMessages,
    [
      { name: 'thread', field: 'threadId', value: 'ID', help: 'only in this thread' },
      { name: 'from', field: 'from', value: 'NAME', help: 'only of this sender' },
      { name: 'type', field: 'messageType', help: 'only of this type' },
      { name: 'since', field: 'since', value: 'TIME', help: 'not before, e.g. 2026-11-15 or 2026-11-15T09:30Z' },
      { name: 'until', field: 'until', value: 'TIME', help: 'not after' },
      { name: 'limit', field: 'limit', help: 'maximum number (20)' },
    ],
    ['query'],
  ),
  ...hubFlags,
];

const description: Description = {
  usage: 'WORDS [options]',
  about: [
    'Finds messages that contain all words, best match first. Case and accents do not',
    'matter; "quoted words" must be adjacent, wor* matches words with this prefix.',
  ],
  flags,
  examples: [
    { line: 'coterie search "billing migration"', does: 'both words, in any order' },
    { line: 'coterie search \'"not found" deploy*\' --from ben', does: 'a phrase and a prefix' },
    { line: 'coterie search lease --since 2026-11-01 --json | jq -r ".messages[].id"', does: 'for a program' },
  ],
};

export const search: Command = {
  describe: () => description,
  async run(argv) {
    const { own, fields, positionals } = readArgs(argv, { command: 'search', flags, positionals: ['words'] });
    const [query] = positionals;
    if (query === undefined && fields['query'] === undefined) {
      throw usage('search needs words to search for.', 'Write them in quotes: coterie search "two words"');
    }
    if (query !== undefined && fields['query'] !== undefined)
      throw usage('The words were given twice.', 'Give them once.');
    const requested = query === undefined ? fields : { ...fields, query };
    const choice = readHubChoice(own);
    const found = await connect(choice).call(operations.searchMessages, requested);
    if (own.has('json')) await printJson(found);
    else await printLines(hitLines(found, await new ThreadTitles(choice).of(found.messages)));
    return 0;
  },
};

type Found = OutputOf<typeof operations.searchMessages>;

function hitLines({ messages, hasMore, cursor }: Found, threads: ReadonlyMap<string, string>): string[] {
  const hits = showSnippets(messages);
  const columns = whoColumns(hits, threads);
  const none = hasMore ? 'Nothing among the newest.' : 'Nothing found. All words must occur; wor* finds word and work.';
  return [
    ...(hits.length === 0 ? [none] : hits.map((hit) => messageLine(hit, { columns, threads }))),
    ...(hasMore ? [`More: the same with --cursor ${cursor}`] : []),
  ];
}
