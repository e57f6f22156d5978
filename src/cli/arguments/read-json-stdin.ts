// JSON from stdin.
import { HubError } from '../../contract/errors.js';
import { readStdin } from './read-stdin.js';

export async function readJsonStdin(what: string): Promise<unknown> {
  const text = await readStdin(what);
  try {
    return JSON.parse(text);
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new HubError('JSON_INVALID', `stdin is not valid JSON: ${problem}.`, {
      hint: `Pipe in ${what}.`,
      cause,
    });
  }
}
