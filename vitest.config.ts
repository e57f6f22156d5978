import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    environment: 'node',
    pool: 'forks',
    // Tests start real hubs and time real waits: more at once would make them wait for the machine, not for the hub.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default'],
    // A forgotten `.only` would silently skip the other promises.
    allowOnly: false,
  },
});
