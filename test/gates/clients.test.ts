// npm run clients itself needs root and gigabytes: here is what can be said without running a client.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

function run(...args: string[]) {
  return spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
}

function evaluate(module: string, expression: string): unknown {
  const script = `import * as m from './scripts/clients/${module}'; console.log(JSON.stringify(${expression}))`;
  return JSON.parse(run('--input-type=module', '--eval', script).stdout);
}

it('refuses a client that it does not know', () => {
  const { status, stderr } = run('scripts/clients.mjs', 'nobody');
  expect([status, stderr]).toEqual([
    2,
    "No client 'nobody'. The clients are: claude, codex, opencode, gemini, copilot.\n",
  ]);
});

it('docs/clients.md has the table of the versions that are run', () => {
  const wanted = evaluate('client-list.mjs', 'Object.values(m.clients).map((c) => `${c.title} ${c.package.version}`)');
  const table = /<!-- npm run clients -- --write -->(.*)<!-- end -->/s.exec(
    readFileSync(`${root}/docs/clients.md`, 'utf8'),
  )?.[1];
  const [, head = ''] = table?.split('\n').filter((line, index) => index === 0 || line.startsWith('|')) ?? [];
  const columns = head.split('|').map((cell) => cell.trim());
  expect(columns.filter((cell) => cell !== '')).toEqual(wanted);
});

it.each([
  ['[{ text: "<m>blue</m>" }, { text: "image 0 of message m1:" }, { picture: true }]', 'text, label, picture, once'],
  ['[{ text: \'{"messages":[{"text":"blue"}]}\' }]', 'JSON, **no label**, **no picture**, once'],
  ['[{ text: \'blue {"messages":[{"text":"blue"}]}\' }]', 'text and JSON, **no label**, **no picture**, **2 times**'],
  ['[{ text: "failed" }]', '**nothing**, **no label**, **no picture**, once'],
])('says of %s that it shows %s', (parts, words) => {
  expect(evaluate('shown.mjs', `m.shownMail(${parts}, 'blue')`)).toBe(words);
});

it.each([
  ['{ model: "", status: "coterie: Disconnected", run: "" }', 'no tools; `mcp list` says that it failed'],
  ['{ model: "", status: "", run: "This hub does not know the key." }', 'no tools; the run prints why'],
  ['{ model: "wait_for_mentions", status: "", run: "" }', '**has tools**; **says nothing**'],
])('says of %s that a refused key shows %s', (shown, words) => {
  expect(evaluate('shown.mjs', `m.shownRefusal(${shown})`)).toBe(words);
});
