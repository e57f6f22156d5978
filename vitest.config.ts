import { defineConfig } from 'vitest/config';
import { temporaryHome } from './test/support/own-home.js';
import { filesToSkip } from './test/support/world-skips.js';
import type { World } from './test/support/world.js';

// Every process of a test inherits it, so that none can use the hub of the person who runs the tests.
const home = temporaryHome();

/** The same promises in another world; which one is in the variable that test/support/world.ts reads. */
function project(
  world: World,
  include: string[],
  { name = world, isInBrowser = false }: { name?: string; isInBrowser?: boolean } = {},
) {
  const onServer = {
    setupFiles: ['test/support/world-setup.ts'],
    // What a dead hub held is free after ten seconds there, and every commit waits for a disk.
    testTimeout: 120_000,
  };
  return {
    extends: true as const,
    test: {
      name,
      include,
      exclude: world === 'sqlite' && !isInBrowser ? ['test/browser/**', 'test/postgres/**'] : filesToSkip(world),
      env: { COTERIE_TEST_WORLD: world, ...home },
      globalSetup: [
        'test/support/fresh-build.ts',
        ...(world === 'sqlite' ? [] : ['test/support/postgres-server.ts']),
        ...(isInBrowser ? ['test/support/chromium.ts'] : []),
      ],
      ...(world === 'sqlite' ? {} : onServer),
    },
  };
}

export default defineConfig({
  test: {
    environment: 'node',
    // Node loads dist/ itself, which is faster than to transform it first; stack traces still name src/.
    server: { deps: { external: [/\/dist\//] } },
    execArgv: ['--enable-source-maps'],
    pool: 'forks',
    // For two cores. Many tests wait most of the time, so one more than cores keeps them busy; with more, tests would wait
    // for the machine and no longer for the hub.
    maxWorkers: 3,
    // They end only what hangs: several times what the slowest test and hook need on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 180_000,
    reporters: ['default'],
    tags: [{ name: 'long', description: 'Sends hundreds of messages or waits for seconds: not for test:quick.' }],
    // A forgotten `.only` would silently skip the other promises.
    allowOnly: false,
    projects: [
      project('sqlite', ['test/**/*.test.ts', 'web/test/**/*.test.tsx']),
      project('postgres', [
        'test/postgres/**/*.test.ts',
        'test/story/**/*.test.ts',
        'test/access/**/*.test.ts',
        'test/bridge/**/*.test.ts',
        'test/store-contract/**/*.test.ts',
        'test/property/inbox.test.ts',
        'test/property/inbox-scenarios.test.ts',
        'test/adversary/followers.test.ts',
        'test/adversary/hostile-bodies.test.ts',
        'test/adversary/long-answers.test.ts',
      ]),
      project('three-hubs', ['test/story/**/*.test.ts', 'test/access/**/*.test.ts']),
      project('sqlite', ['test/browser/**/*.test.ts'], { name: 'browser', isInBrowser: true }),
      project('three-hubs', ['test/browser/answer.test.ts', 'test/browser/three-hubs.test.ts'], {
        name: 'browser-three-hubs',
        isInBrowser: true,
      }),
    ],
  },
});
