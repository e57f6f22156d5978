// The official suite is the judge of our MCP door. It is fetched once into .cache/conformance.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../scripts/conformance.mjs', import.meta.url));
/** Nearly all of it is for fetching the suite and the Node it needs over a slow line. */
const timeout = 600_000;

async function runSuite(...args: string[]): Promise<{ exitCode: number | null; output: string }> {
  const child = spawn(process.execPath, [script, '--built', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { exitCode, output };
}

describe('the official MCP conformance suite', { timeout }, () => {
  it('passes in both protocol revisions', async () => {
    const { exitCode, output } = await runSuite();
    expect(exitCode, output).toBe(0);
    expect(output).toMatch(/^MCP 2026-07-28: passed, exit code 0, 37 of 37 scenarios/m);
    expect(output).toMatch(/^MCP 2025-11-25: passed, exit code 0, 30 of 30 scenarios/m);
  });

  it('fails, and says where, against a hub that lacks what it calls', async () => {
    const { exitCode, output } = await runSuite('--without-fixtures', '2025-11-25');
    expect(exitCode).toBe(1);
    expect(output).toMatch(/^MCP 2025-11-25: FAILED, exit code 1/m);
    expect(output).toMatch(/^ {2}tools-call-image\n {4}tools-call-image: /m);
  });
});
