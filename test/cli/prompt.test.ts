// coterie prompt: what to tell an agent, short and complete; README has the same.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { agentPrompt } from '../../dist/contract/connect/agent-prompt.js';
import { operationList } from '../../dist/contract/index.js';
import { countTokens } from '../support/count-tokens.js';
import { output, runCli } from './run-cli.js';

describe('coterie prompt', () => {
  it('prints the paragraph, with the name of the agent', async () => {
    expect(await output(['prompt'])).toBe(`${agentPrompt()}\n`);
    expect(await output(['prompt', '--agent', 'builder'])).toBe(`${agentPrompt('builder')}\n`);
    expect(agentPrompt('builder')).toContain('You are `builder`');
  });

  it('is short, and names only tools that every agent is shown', () => {
    expect(countTokens(agentPrompt())).toBeLessThan(150);
    const shown = operationList.filter(({ inDefaultProfile }) => inDefaultProfile).map(({ name }) => name);
    const named = agentPrompt().match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? [];
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => !shown.includes(name))).toEqual([]);
  });

  it('refuses a name that no agent can have', async () => {
    expect(await runCli(['prompt', '--agent', 'a b'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/^USAGE: --agent/),
    });
  });
});

describe('README.md', () => {
  const page = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

  it('has the same paragraph, to copy', () => {
    const [, copy] = /<!-- coterie prompt -->\n\n```\w*\n([^]*?)\n```/.exec(page) ?? [];
    expect(copy).toBe(agentPrompt());
  });
});
