// coterie keys and coterie people on the store of a test's hubs, whether that is a folder or a database.
import { runCli, type Ended } from '../cli/run-cli.js';
import { databaseEnv, databaseOf } from './test-database.js';

export type KeyCommand = (...args: string[]) => Promise<Ended>;

export async function keyCommands(data: string): Promise<KeyCommand> {
  const address = await databaseOf(data);
  const place = address === null ? ['--data', data] : [];
  return (...args) => runCli([...args, ...place], { env: databaseEnv(address) });
}

const keyForm = /^coterie_([a-z0-9]{12})_[A-Za-z0-9_-]{43}\n$/;

/** The key that a command printed, and nothing else on stdout. */
export function keyIn({ exitCode, stdout, stderr }: Ended): { id: string; text: string } {
  const [, id] = keyForm.exec(stdout) ?? [];
  if (exitCode !== 0 || id === undefined) throw new Error(`no key: ${exitCode} ${stderr}`);
  return { id, text: stdout.trim() };
}

/** One call over HTTP with a key. */
export async function callWith(key: string | undefined, url: string, operation: string, input: unknown = {}) {
  const response = await fetch(`${url}/v1/${operation}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(input),
  });
  // Tests read the fields they promise; a wrong one fails the assertion.
  // oxlint-disable-next-line typescript/no-explicit-any
  const body: any = await response.json();
  return { status: response.status, body };
}
