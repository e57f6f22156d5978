// What a test starts or creates is removed after it, also when the test fails.
import { afterAll, onTestFinished, TestRunner } from 'vitest';

type CleanUp = () => unknown;

const afterFile: CleanUp[] = [];

export interface Lifetime {
  /** For the other tests of the file too: it stays until the end of the file. */
  isShared?: boolean;
}

/** At the end of the test that runs, or of the file when none does; last in, first out. */
export function cleanUpAfter(cleanUp: CleanUp, { isShared = false }: Lifetime = {}): void {
  if (isShared || TestRunner.getCurrentTest() === undefined) afterFile.push(cleanUp);
  else onTestFinished(async () => void (await cleanUp()));
}

afterAll(async () => {
  for (const cleanUp of afterFile.splice(0).toReversed()) await cleanUp();
});
