// Before every test file: leaves out what its world cannot show, and clears away what its hubs kept.
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach } from 'vitest';
import { spreadFetch } from './hub-team.js';
import { dropDatabases } from './test-database.js';
import { reasonToSkip } from './world-skips.js';
import { hubsAtOnce, world } from './world.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

if (hubsAtOnce > 1) spreadFetch();

beforeEach(({ task, skip }) => {
  const reason = reasonToSkip(world, relative(root, task.file.filepath).replaceAll('\\', '/'), task.fullTestName);
  if (reason !== undefined) skip(reason);
});

if (world !== 'sqlite') afterAll(dropDatabases);
