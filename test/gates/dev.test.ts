// `npm run dev`: a change restarts the hub, a faulty one does not, and nothing is left when it ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { cleanUpAfter } from '../support/clean-up.js';
import { eventually } from '../support/eventually.js';
import { makeSoundPackage } from './sound-package.js';
import { isRunning } from '../support/is-running.js';

const sound = makeSoundPackage();
afterAll(() => sound.discard());

/** Says its number and its arguments, and fails with a trace when it is stopped. */
const hubNumber = (number: number) => `export async function main(args: string[]): Promise<number> {
  console.log('hub ${number}', process.pid, ...args);
  const alive = setInterval(() => {}, 1_000);
  await new Promise((resolve) => process.once('SIGTERM', resolve));
  clearInterval(alive);
  console.log(new Error('the end of hub ${number}').stack);
  return 0;
}
`;

it(
  'follows changes, keeps the hub when a change does not compile, and ends with it',
  { timeout: 120_000 },
  async () => {
    sound.write('migrations/0001.sql', '');
    sound.write('src/cli/main.ts', hubNumber(1));
    const dev = spawn(process.execPath, [join(sound.folder, 'scripts/dev.mjs'), '--data', 'mine']);
    cleanUpAfter(() => dev.kill('SIGKILL'));
    let said = '';
    for (const stream of [dev.stdout, dev.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const shows = (text: RegExp) => eventually(`dev says ${text.source}`, () => text.exec(said) ?? undefined, 20_000);

    await shows(/hub 1 \d+ serve --hints --data mine/);
    sound.write('src/cli/main.ts', `export const main: number = 'x';\n`);
    await shows(/TS2322[^]*The build failed/);
    expect(said).not.toContain('the end of hub 1');
    sound.write('src/cli/main.ts', hubNumber(2));
    const [, pid] = await shows(/the end of hub 1[^]*src\/cli\/main\.ts:6:[^]*hub 2 (\d+) serve/);

    dev.kill('SIGINT');
    const [exitCode] = await once(dev, 'exit');
    expect(exitCode).toBe(0);
    expect(isRunning(Number(pid))).toBe(false);
    expect(said).toContain('the end of hub 2');
  },
);
