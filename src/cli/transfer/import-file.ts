// Sends the lines of an export to a hub, in parts.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { OutputOf } from '../../contract/operation.js';
import { operations } from '../../contract/operations/index.js';
import type { ConnectedHub } from '../hub/connect.js';

type Answer = OutputOf<typeof operations.importSession>;

/** An attachment can be one line of 11 MB; a request holds 12 MiB. */
const partBytes = 4 * 1024 * 1024;

export interface ImportFile {
  /** `-` is stdin. */
  file: string;
  /** Its name in the file is the default. */
  sessionId: string | undefined;
}

export async function importFile(hub: ConnectedHub, { file, sessionId }: ImportFile): Promise<Answer> {
  const named = sessionId === undefined ? {} : { sessionId };
  let importId: string | undefined;
  let part = 1;
  const send = async (lines: readonly string[], done: boolean) => {
    const begun = importId === undefined ? {} : { importId };
    const text = lines.map((line) => `${line}\n`).join('');
    const answer = await hub.call(operations.importSession, { lines: text, part, done, ...named, ...begun });
    ({ importId } = answer);
    part += 1;
    return answer;
  };
  const input = file === '-' ? process.stdin : createReadStream(file);
  let waiting: string[] = [];
  let bytes = 0;
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    // As it will be in the request.
    const size = Buffer.byteLength(JSON.stringify(line));
    if (waiting.length > 0 && bytes + size > partBytes) {
      await send(waiting, false);
      [waiting, bytes] = [[], 0];
    }
    waiting.push(line);
    bytes += size;
  }
  return send(waiting, true);
}
