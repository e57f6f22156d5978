import { defineConfig } from 'vitest/config';

/** The same promises in another world; which one is in the variable that test/support/world.ts reads. */
function world(name: string, include: string[]) {
  return {
    extends: true as const,
    test: {
      name,
      include,
      env: { COTERIE_TEST_WORLD: name },
      ...(name === 'sqlite' ? { exclude: ['test/postgres/**'] } : { globalSetup: ['test/support/postgres-server.ts'] }),
    },
  };
}

export default defineConfig({
  test: {
    environment: 'node',
    pool: 'forks',
    // Tests start real hubs and time real waits: more at once would make them wait for the machine, not for the hub.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default'],
    // A forgotten `.only` would silently skip the other promises.
    allowOnly: false,
    projects: [
      world('sqlite', ['test/**/*.test.ts']),
      world('postgres', [
        'test/postgres/**/*.test.ts',
        'test/story/**/*.test.ts',
        'test/bridge/**/*.test.ts',
        'test/store-contract/**/*.test.ts',
        'test/property/inbox*.test.ts',
      ]),
      world('three-hubs', ['test/story/**/*.test.ts']),
    ],
  },
});
