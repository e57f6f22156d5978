// The README's first conversation, as a newcomer types it and as an agent sees it.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { connectMcp } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';
import { comparable, consoleExamples } from './console-examples.js';
import { runCli } from './run-cli.js';

const page = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const section = 'The first conversation';
const hub = useHub();

it('prints at the terminal what the README shows', async () => {
  const examples = consoleExamples(page, section);
  expect(examples.length).toBeGreaterThan(5);
  for (const { args, printed } of examples) {
    const { stdout, stderr } = await runCli([...args, '--data', hub.data, '--session', 'terminal']);
    expect(comparable(`${stdout}${stderr}`), args.join(' ')).toBe(comparable(printed));
  }
});

it('gives an agent the texts that the README shows', async () => {
  const address = (agent: string) => `${hub.url}/mcp?session=tools&agent=${agent}`;
  const writer = await connectMcp('v2 2026', address('report-writer'));
  const analyzer = await connectMcp('v2 2026', address('data-analyzer'));
  await analyzer.call('register_agent', { agentName: 'Data Analyzer' });
  const { structured } = await writer.call('create_thread', { title: 'Q4 report', participants: ['data-analyzer'] });
  await writer.call('send_message', {
    threadId: structured.threadId,
    content: '@data-analyzer What were the final Q4 figures?',
  });

  const calls = toolCalls();
  expect(calls).toHaveLength(2);
  for (const { name, input, text } of calls) {
    const answer = await analyzer.call(name, JSON.parse(input.replace(/t\d{12}/, structured.threadId)));
    expect(comparable(answer.text), name).toBe(comparable(text));
  }
  await Promise.all([writer.close(), analyzer.close()]);
});

/** `> tool {input}`, then the text of its result. */
function toolCalls(): { name: string; input: string; text: string }[] {
  const [, block = ''] = /^<!-- tool calls -->\n\n```text\n([^]*?)^```/m.exec(page) ?? [];
  return [...block.matchAll(/^> (\w+) (\{.*\})\n([^]*?)(?=^> |$(?![^]))/gm)].map(
    ([, name = '', input = '', text = '']) => ({
      name,
      input,
      text,
    }),
  );
}
