// Writes what is exported: to stdout, or to a new file that only its owner can read.
import { constants } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { usage } from '../arguments/usage.js';
import { print, printJson, printNotice } from '../show/print.js';

/** `-` is stdout. */
export async function writeTo(file: string, pages: AsyncIterable<string>, isJson: boolean): Promise<void> {
  if (file === '-') {
    for await (const text of pages) await print(text);
    return;
  }
  const written = await writeNew(file, pages);
  if (isJson) await printJson({ file, ...written });
  else printNotice(`${file}: ${written.lines} lines, ${written.bytes} bytes`);
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
