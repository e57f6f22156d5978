import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeSoundPackage } from './sound-package.js';

const sound = makeSoundPackage();

afterAll(() => {
  sound.discard();
});

describe('building', () => {
  it('happens once when two ask for it at the same time', async () => {
    const results = await Promise.all([sound.run('build.mjs'), sound.run('build.mjs')]);
    expect(results.map((result) => result.exitCode)).toEqual([0, 0]);
    expect(results.filter((result) => result.output.includes('Building'))).toHaveLength(1);
    expect(existsSync(join(sound.folder, 'dist/cli/main.js'))).toBe(true);
  });

  it('does nothing when nothing has changed', async () => {
    expect(await sound.run('build.mjs')).toEqual({ exitCode: 0, output: '' });
  });

  it('follows a change and leaves nothing of a source that is gone', async () => {
    sound.write('src/passing.ts', `export const passing = 1;\n`);
    await sound.run('build.mjs');
    expect(readFileSync(join(sound.folder, 'dist/passing.js'), 'utf8')).toContain('passing = 1');
    sound.remove('src/passing.ts');
    await sound.run('build.mjs');
    expect(existsSync(join(sound.folder, 'dist/passing.js'))).toBe(false);
  });

  it('fails on a type error, and again until it is mended', async () => {
    sound.write('src/faulty.ts', `export const faulty: number = 'x';\n`);
    await sound.run('build.mjs');
    const { exitCode, output } = await sound.run('build.mjs');
    expect(output).toContain('TS2322');
    expect(exitCode).not.toBe(0);
    sound.remove('src/faulty.ts');
    expect(await sound.run('build.mjs')).toMatchObject({ exitCode: 0 });
  });

  it('goes on after a build that was killed and left its lock behind', async () => {
    sound.write('dist/.lock', String(spawnSync(process.execPath, ['--version']).pid));
    sound.remove('dist/.stamp');
    expect(await sound.run('build.mjs')).toMatchObject({ exitCode: 0 });
  });
});
