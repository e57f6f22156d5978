// Vitest's global setup of the projects that need a browser: finds Chromium, or installs it, as with PostgreSQL.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../../scripts/chromium.mjs', import.meta.url));
const variable = 'COTERIE_TEST_CHROMIUM';

export default function setUp(): void {
  const { status, stdout, error } = spawnSync(process.execPath, [script], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (error) throw error;
  if (status !== 0) throw new Error('No Chromium for the tests; the reason stands above.');
  // Workers inherit it.
  process.env[variable] = stdout.trim();
}

export function chromiumProgram(): string {
  const program = process.env[variable];
  if (program === undefined) throw new Error('the global setup of this project has found no Chromium');
  return program;
}
