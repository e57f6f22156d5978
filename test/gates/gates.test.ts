// Canaries: a gate that checks nothing passes too, so each must fail on the fault it is there for.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSoundPackage } from './sound-package.js';

const sound = makeSoundPackage();

beforeAll(async () => {
  expect(await sound.run('build.mjs')).toMatchObject({ exitCode: 0 });
});

afterAll(() => {
  sound.discard();
});

describe('a package without faults', () => {
  it.each(['format', 'lint', 'types', 'unused', 'package'])('passes the gate %s', async (gate) => {
    const { exitCode, output } = await sound.run('gates.mjs', gate);
    expect(exitCode, output).toBe(0);
  });
});

describe('the gate', () => {
  it.each([
    ['format', 'double quotes', 'src/faulty.ts', `export const faulty = "x";\n`, 'src/faulty.ts'],
    [
      'types',
      'a test that mistakes the type of an answer',
      'test/faulty.test.ts',
      `import { greet } from '../dist/index.js';\n\nexport const faulty: number = await greet();\n`,
      'TS2322',
    ],
    ['unused', 'a file that nobody imports', 'src/faulty.ts', `export const faulty = 1;\n`, 'src/faulty.ts'],
  ])('%s refuses %s', async (gate, _, path, source, named) => {
    sound.write(path, source);
    const { exitCode, output } = await sound.run('gates.mjs', gate);
    sound.remove(path);
    expect(output).toContain(named);
    expect(exitCode).not.toBe(0);
  });

  it('unused refuses an export that nobody imports', async () => {
    sound.write('src/faulty.ts', `export const imported = 1;\nexport const neverImported = 2;\n`);
    sound.write('test/faulty.test.ts', `import { imported } from '../src/faulty.js';\n\nconsole.log(imported);\n`);
    const { exitCode, output } = await sound.run('gates.mjs', 'unused');
    sound.remove('src/faulty.ts');
    sound.remove('test/faulty.test.ts');
    expect(output).toMatch(/Unused exports \(1\)\s+neverImported/);
    expect(exitCode).not.toBe(0);
  });

  it('package refuses an entry point that was not built', async () => {
    sound.remove('dist/client');
    const { exitCode, output } = await sound.run('gates.mjs', 'package');
    expect(output).toContain('./dist/client/index.js');
    expect(exitCode).not.toBe(0);
  });
});

const faultOfRule = {
  eqeqeq: `export const isOne = (value: unknown): boolean => value == 1;`,
  'no-console': `export const say = (): void => console.log('x');`,
  'no-default-export': `export default 1;`,
  'no-useless-concat': `export const text = 'a' + 'b';`,
  'await-thenable': `export const wait = async (): Promise<number> => await 1;`,
  'consistent-type-imports': `import { Stats } from 'node:fs';\nexport type Files = Stats[];`,
  'no-explicit-any': `export const some: any[] = [];`,
  'no-floating-promises': `import { greet } from '../index.js';\ngreet();`,
  'no-misused-promises': `import { greet } from '../index.js';\n[1].forEach(async () => await greet());`,
  'no-non-null-assertion': `export const first = (list: string[]): string => list[0]!;`,
  'no-unsafe-argument': `JSON.stringify('x', JSON.parse('[]'));`,
  'no-unsafe-assignment': `export const some: string = JSON.parse('1');`,
  'no-unsafe-call': `JSON.parse('1')();`,
  'no-unsafe-function-type': `export type Act = Function;`,
  'no-unsafe-member-access': `export const name = (): unknown => JSON.parse('1').name;`,
  'no-unsafe-return': `export const some = (): string => JSON.parse('1');`,
  'no-unsafe-type-assertion': `export const some = (value: unknown): string => value as string;`,
  'switch-exhaustiveness-check': `export function f(x: 'a' | 'b'): void {\n  switch (x) {\n    case 'a':\n  }\n}`,
};

describe('the gate lint', () => {
  let output = '';

  beforeAll(async () => {
    for (const [rule, source] of Object.entries(faultOfRule)) sound.write(`src/faulty/${rule}.ts`, `${source}\n`);
    ({ output } = await sound.run('gates.mjs', 'lint'));
    sound.remove('src/faulty');
  });

  it.each(Object.keys(faultOfRule))('reports %s', (rule) => {
    // The file named next after the rule must be the one with that fault.
    expect(output).toMatch(new RegExp(`\\(${rule}\\)(?:(?!src/faulty/)[^])*src/faulty/${rule}\\.ts`));
  });
});
