// Where PostgreSQL's programs are: named by COTERIE_TEST_POSTGRES_BIN, on the path, or where Debian puts them.
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

const programs = ['initdb', 'postgres'];
/** One folder per major version below it. */
const debianFolder = '/usr/lib/postgresql';

/** The folder with the programs, or undefined. */
export function findServer(env = process.env) {
  const chosen = env.COTERIE_TEST_POSTGRES_BIN;
  if (chosen === undefined || chosen === '') return [...onPath(env.PATH ?? ''), ...debianFolders()].find(hasPrograms);
  if (hasPrograms(chosen)) return chosen;
  throw new Error(`COTERIE_TEST_POSTGRES_BIN is '${chosen}', where ${programs.join(' and ')} are not.`);
}

function hasPrograms(folder) {
  return programs.every((program) => existsSync(join(folder, program)));
}

/** A link to one program on the path leads to the folder with all of them. */
function onPath(path) {
  const folders = path.split(delimiter).filter((folder) => existsSync(join(folder, 'postgres')));
  return folders.map((folder) => dirname(realpathSync(join(folder, 'postgres'))));
}

/** Newest first. */
function debianFolders() {
  if (!existsSync(debianFolder)) return [];
  const versions = readdirSync(debianFolder).toSorted((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(debianFolder, version, 'bin'));
}
