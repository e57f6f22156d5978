// Migrations are numbered one after the other, and both stores have the same.
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';

const filesOf = (dialect: string) => readdirSync(new URL(`../../migrations/${dialect}/`, import.meta.url)).toSorted();

it.each(['sqlite', 'postgres'])('no two migrations of %s share a number, and none is missing', (dialect) => {
  const files = filesOf(dialect);
  expect(files.filter((file) => !/^\d{4}_[a-z0-9-]+\.sql$/.test(file))).toEqual([]);
  expect(files.map((file) => Number(file.slice(0, 4)))).toEqual(files.map((_, index) => index + 1));
});

it('both stores have the same list', () => {
  expect(filesOf('postgres')).toEqual(filesOf('sqlite'));
});
