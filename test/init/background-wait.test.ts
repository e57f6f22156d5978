// Claude Code moves a call that takes longer than two minutes to the background, and its result starts a turn. So a wait must be
// held far longer than that, and the agent must be told to ask for it and to end its turn.
import { expect, it } from 'vitest';
import { agentPrompt } from '../../dist/contract/connect/agent-prompt.js';
import { limits } from '../../dist/contract/limits.js';
import { profileOf, waitLimitOf } from '../../dist/mcp/client-profiles.js';
import { instructions } from '../../dist/mcp/instructions.js';

const backgroundAfterMs = 120_000;

it('the hub holds the wait of Claude Code as long as may be asked for', () => {
  const held = waitLimitOf(profileOf('claude-code', 50_000), true);
  expect(held).toBe(limits.waitMs);
  expect(held).toBeGreaterThan(2 * backgroundAfterMs);
});

it('the agent is told to wait that long, and to end its turn', () => {
  expect(agentPrompt('builder')).toContain(`wait_for_mentions with timeoutMs ${limits.waitMs}`);
  for (const told of [agentPrompt(null), instructions]) {
    expect(told).toContain('If a wait moves to the background, end your turn');
  }
});
