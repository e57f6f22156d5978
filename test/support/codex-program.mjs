// As much of Codex as a wake needs: `queue`, and an `app-server` on stdio, whose turn asks for an approval first. CODEX_LOG notes
// what it was told, CODEX_HELD makes it refuse the thread.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const args = process.argv.slice(2);
const { CODEX_LOG: log, CODEX_HELD: held } = process.env;
const note = (entry) => appendFileSync(log, `${JSON.stringify(entry)}\n`);

if (args[0] === 'queue') {
  note(args);
  if (held !== undefined) console.error('Error: thread is held by another writer');
  process.exit(held === undefined ? 0 : 1);
}

const say = (value) => console.log(JSON.stringify(value));
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params, error } = JSON.parse(line);
  note({ method, params, error });
  if (method === 'thread/resume' && held !== undefined) say({ id, error: { code: -1, message: 'thread is held' } });
  else if (id !== undefined && method !== undefined) say({ id, result: {} });
  if (method === 'turn/start') say({ id: 'ask', method: 'item/commandExecution/requestApproval', params: {} });
  if (id === 'ask') say({ method: 'turn/completed', params: { turn: { id: 't', status: 'completed' } } });
}
