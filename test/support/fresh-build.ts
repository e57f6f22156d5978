// Vitest's global setup of every project: tests import dist/, and this makes sure that it is what src/ says now.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

const script = fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url));

export default function setUp(project: TestProject): void {
  build();
  project.onTestsRerun(build);
}

function build(): void {
  const { status, error } = spawnSync(process.execPath, [script], { stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) throw new Error('The build failed: no test was run. The reason is above.');
}
