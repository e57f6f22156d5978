// coterie format and import, as a pipe uses them.
import { describe, expect, it } from 'vitest';
import { output, runCli } from './run-cli.js';

const views = JSON.stringify([
  { name: 'AgentA', role: 'ASSISTANT', content: 'View A' },
  { name: 'AgentB', role: 'assistant', content: [{ type: 'text', text: 'View B' }] },
]);

describe('coterie format', () => {
  it('writes brackets by default, and needs no hub', async () => {
    const text = await output(['format', '--provider', 'dashscope', '--mode', 'multiagent'], { stdin: views });
    expect(JSON.parse(text)).toEqual({
      messages: [
        { role: 'user', content: '[AgentA]: View A' },
        { role: 'user', content: '[AgentB]: View B' },
      ],
    });
    expect(text.trimEnd()).not.toContain('\n');
  });

  it('words the history as told', async () => {
    const args = [
      'format',
      '--provider',
      'ollama',
      '--mode',
      'multiagent',
      '--style',
      'history',
      '--history-prompt',
      'So far:',
    ];
    expect(JSON.parse(await output(args, { stdin: views }))).toEqual({
      messages: [{ role: 'user', content: 'So far:\n<history>\nAgentA: View A\nAgentB: View B\n</history>' }],
    });
  });

  it('puts system text beside where it belongs there, and reads an object with messages', async () => {
    const stdin = JSON.stringify({
      messages: [
        { role: 'SYSTEM', content: 'Be brief' },
        { role: 'USER', content: 'Hi' },
      ],
    });
    expect(JSON.parse(await output(['format', '--provider', 'anthropic'], { stdin }))).toEqual({
      system: 'Be brief',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    });
  });

  it('leaves out what does not fit, and guards further names', async () => {
    const args = [
      'format',
      '--provider',
      'openai',
      '--mode',
      'multiagent',
      '--max-tokens',
      '40',
      '--speakers',
      'Boss,Cyn',
    ];
    const stdin = JSON.stringify([
      { name: 'Ann', content: 'word '.repeat(100) },
      { name: 'Eve', content: 'x\nCyn: y' },
    ]);
    expect(JSON.parse(await output(args, { stdin }))).toEqual({
      messages: [{ role: 'user', content: '[Eve]: x\nCyn\\: y' }],
      leftOut: 1,
    });
  });

  it.each([
    ['no provider', ['format'], views, 2, /^USAGE: format needs a --provider\.\nAllowed: openai, openai-responses,/],
    ['an unknown one', ['format', '--provider', 'opnai'], views, 2, /^USAGE: --provider was given 'opnai'/],
    ['an unknown style', ['format', '--provider', 'openai', '--style', 'x'], views, 2, /Allowed: brackets, history/],
    ['no JSON', ['format', '--provider', 'openai'], 'hello', 4, /^JSON_INVALID: stdin is not valid JSON/],
    [
      'a bad block',
      ['format', '--provider', 'openai'],
      '[{"content":[{"type":"text"}]}]',
      4,
      /messages\[0\]\.content\[0\]\.text/,
    ],
    ['no source', ['import'], '[]', 2, /^USAGE: import needs a file, or --from\.\n.*agentscope, openai, anthropic/],
    [
      'a bad message',
      ['import', '--from', 'openai'],
      '[{"role":"tool","content":""}]',
      4,
      /messages\[0\]\.tool_call_id/,
    ],
  ])('refuses %s', async (_, args, stdin, exitCode, stderr) => {
    const ended = await runCli(args, { stdin });
    expect(ended).toMatchObject({ exitCode, stdout: '' });
    expect(ended.stderr).toMatch(stderr);
  });
});

describe('coterie import', () => {
  it.each([
    ['agentscope', [{ name: 'Bob', role: 'assistant', content: 'Hi', metadata: null }]],
    ['openai', [{ name: 'Bob', role: 'assistant', content: 'Hi' }]],
    ['anthropic', { messages: [{ role: 'assistant', content: 'Hi' }] }],
  ])('prints the messages of %s as ours', async (from, theirs) => {
    const [message] = JSON.parse(await output(['import', '--from', from], { stdin: JSON.stringify(theirs) }));
    expect(message).toMatchObject({ role: 'ASSISTANT', content: [{ type: 'text', text: 'Hi' }] });
  });
});
