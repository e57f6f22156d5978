// coterie export: writes a session to a file or to stdout.
import { constants } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { operations } from '../../contract/operations/index.js';
import { readHubChoice, watchFlags } from '../arguments/hub-flags.js';
import { readArgs } from '../arguments/read-args.js';
import { usage } from '../arguments/usage.js';
import type { Command, Description } from '../command.js';
import { connect, type ConnectedHub } from '../hub/connect.js';
import { print, printJson, printNotice } from '../show/print.js';

const flags = watchFlags;

const description: Description = {
  usage: '[FILE]',
  about: [
    'Writes a session as JSON lines: messages, deliveries, attachments, threads,',
    'groups and receipts. To a new file that only you can read, or to stdout. Keys',
    'are not in it. The hub works on meanwhile; the file has what was sent before.',
  ],
  flags,
  examples: [
    { line: 'coterie export team.jsonl', does: 'the session default' },
    { line: 'coterie export --session shop | gzip > shop.jsonl.gz', does: 'another one, compressed' },
    { line: 'coterie import team.jsonl --url http://other:4180', does: 'into another hub' },
  ],
};

export const exportCommand: Command = {
  describe: () => description,
  async run(argv) {
    const { own, positionals } = readArgs(argv, { command: 'export', flags, positionals: ['file'] });
    const hub = connect(readHubChoice(own));
    const [file = '-'] = positionals;
    if (file === '-') {
      for await (const lines of pagesOf(hub)) await print(lines);
      return 0;
    }
    const written = await writeNew(file, pagesOf(hub));
    if (own.has('json')) await printJson({ file, ...written });
    else printNotice(`${file}: ${written.lines} lines, ${written.bytes} bytes`);
    return 0;
  },
};

async function* pagesOf(hub: ConnectedHub): AsyncGenerator<string> {
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await hub.call(operations.exportSession, cursor === undefined ? {} : { cursor });
    yield page.lines;
    ({ cursor } = page);
  }
}

/** Under another name until it is complete. */
async function writeNew(file: string, pages: AsyncIterable<string>): Promise<{ lines: number; bytes: number }> {
  if ((await stat(file).catch(() => undefined)) !== undefined) {
    throw usage(`'${file}' is there already.`, 'Give the name of a new file.');
  }
  const partial = `${file}.partial`;
  const created = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC;
  const handle = await open(partial, created, 0o600).catch((error: unknown) => {
    throw usage(`Cannot write '${partial}': ${String(error)}.`, 'Give the name of a file in a folder of yours.');
  });
  const written = { lines: 0, bytes: 0 };
  try {
    await handle.chmod(0o600);
    for await (const text of pages) {
      await handle.appendFile(text);
      written.lines += text.split('\n').length - 1;
      written.bytes += Buffer.byteLength(text);
    }
    await handle.sync();
  } catch (error) {
    await handle.close();
    await rm(partial, { force: true });
    throw error;
  }
  await handle.close();
  await rename(partial, file);
  return written;
}
