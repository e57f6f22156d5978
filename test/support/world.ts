// Where this test file's hubs live: alone on the embedded store, alone on PostgreSQL, or three of them on one PostgreSQL
// database. vitest.config.ts runs the same promises in each.
export const worlds = ['sqlite', 'postgres', 'three-hubs'] as const;
export type World = (typeof worlds)[number];

const named = process.env['COTERIE_TEST_WORLD'];
export const world: World = worlds.find((known) => known === named) ?? 'sqlite';

export const hubsAtOnce = world === 'three-hubs' ? 3 : 1;
