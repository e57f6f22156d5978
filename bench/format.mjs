// What formatting costs: 1,000 messages of a working team (talk, tool calls with results, pictures, thoughts) for every
// provider, in chat and in both multi-agent styles, beside writing the same messages as JSON once.
import { formatProviders, readMessages } from '../dist/contract/index.js';
import { formatMessages } from '../dist/format/index.js';
import { printTable } from './support/table.mjs';

const count = Number(process.env['SIZES'] ?? 1_000);
const rounds = Number(process.env['ROUNDS'] ?? 15);

const messages = readMessages(Array.from({ length: count }, (_, index) => messageAt(index)));

const forms = [
  { title: 'chat', options: { mode: 'chat' } },
  { title: 'brackets', options: { mode: 'multiagent', style: 'brackets' } },
  { title: 'history', options: { mode: 'multiagent', style: 'history' } },
  { title: 'history within 8,000 tokens', options: { mode: 'multiagent', style: 'history', tokensMax: 8_000 } },
];

const json = medianMs(() => JSON.stringify(messages));
const rows = formatProviders.map((provider) => {
  const figures = forms.map(({ options }) => medianMs(() => formatMessages(messages, { provider, ...options })));
  return [provider, ...figures.map((ms) => `${ms.toFixed(2)} ms`), (Math.max(...figures) / json).toFixed(1)];
});

console.log(
  `${count} messages, ${(JSON.stringify(messages).length / 1024).toFixed(0)} KB; their JSON takes ${json.toFixed(2)} ms`,
);
printTable(['provider', ...forms.map(({ title }) => title), 'slowest : JSON'], rows);

/** In rounds of ten: question, answer in several lines, a call, two results, a thought, a picture, and talk. */
function messageAt(index) {
  const agent = `agent-${index % 7}`;
  const id = `call_${Math.floor(index / 10)}`;
  const talk = `Step ${index}: the build is green.\nNote: two tests are slow\n${agent}: that was me\nSee https://example.com/${index}`;
  const said = (...content) => ({ name: agent, role: 'ASSISTANT', content });
  switch (index % 10) {
    case 0:
      return { name: 'user', role: 'USER', content: talk };
    case 2:
      return said(
        { type: 'text', text: 'Let me look' },
        { type: 'tool_use', id, name: 'read_file', input: { path: `src/${index}.ts`, lines: [1, 200] } },
        { type: 'tool_use', id: `${id}b`, name: 'list_files', input: {} },
      );
    case 3:
      return { role: 'TOOL', content: [{ type: 'tool_result', toolUseId: id, output: 'line\n'.repeat(100) }] };
    case 4:
      return {
        role: 'TOOL',
        content: [{ type: 'tool_result', toolUseId: `${id}b`, output: 'a.ts b.ts', isError: true }],
      };
    case 5:
      return said({ type: 'thinking', thinking: talk, signature: 'c2ln' }, { type: 'text', text: talk });
    case 6:
      return said(
        { type: 'text', text: 'The screen:' },
        { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'aGkh'.repeat(1_000) } },
      );
    default:
      return said({ type: 'text', text: talk.repeat(1 + (index % 3)) });
  }
}

function medianMs(work) {
  for (let warm = 0; warm < 5; warm += 1) work();
  const figures = Array.from({ length: rounds }, () => {
    const started = performance.now();
    work();
    return performance.now() - started;
  });
  return figures.toSorted((a, b) => a - b)[Math.floor(rounds / 2)];
}
