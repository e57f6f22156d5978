import { readFileSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findForbiddenImports } from './import-table.js';

const src = fileURLToPath(new URL('../../src', import.meta.url));

describe('who may import whom', () => {
  it('holds in every file of src', () => {
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    expect(files).not.toEqual([]);
    const forbidden = files.flatMap((file) =>
      findForbiddenImports(file.replaceAll(sep, '/'), readFileSync(join(src, file), 'utf8')),
    );
    expect(forbidden).toEqual([]);
  });
});

describe('the check of who may import whom', () => {
  it.each([
    ['a use case that reaches into a store', 'message/send.ts', `import { open } from '../store/sqlite/open.js';`],
    ['the same by a detour', 'message/send.ts', `import { open } from '../contract/../store/sqlite/open.js';`],
    ['the same from a deeper folder', 'message/send/send.ts', `import { open } from '../../store/sqlite/open.js';`],
    ['a type import', 'message/send.ts', `import type { Db } from '../store/sqlite/open.js';`],
    ['an import over several lines', 'message/send.ts', `import {\n  open,\n} from '../store/sqlite/open.js';`],
    ['one with remarks', 'message/send.ts', `import {\n  open, // it's one; ok\n} from '../store/sqlite/open.js';`],
    ['one after a remark', 'message/send.ts', `/* why */ import { open } from '../store/sqlite/open.js';`],
    ['a re-export', 'message/send.ts', `export * from '../store/sqlite/open.js';`],
    ['an import for its effect', 'message/send.ts', `import '../store/sqlite/open.js';`],
    ['an import at run time', 'message/send.ts', `const { open } = await import('../store/sqlite/open.js');`],
    ['a type written in place', 'message/send.ts', `type Db = import('../store/sqlite/open.js').Db;`],
    ['a use case that calls another', 'message/send.ts', `import { close } from '../thread/close.js';`],
    ['one store that uses the other', 'store/postgres/upgrade-schema.ts', `import { open } from '../sqlite/open.js';`],
    ['a store that calls a use case', 'store/sqlite/open.ts', `import { send } from '../../message/send.js';`],
    ['a door that opens a store', 'http/server.ts', `import { open } from '../store/sqlite/open.js';`],
    ['http that knows of mcp', 'http/server.ts', `import { tools } from '../mcp/tools.js';`],
    ['the contract with an import of ours', 'contract/message.ts', `import type { Clock } from '../ports/clock.js';`],
    ['the contract with a module of Node', 'contract/message.ts', `import { join } from 'node:path';`],
    ['a client that needs Node', 'client/index.ts', `import { request } from 'node:http';`],
    ['a way around by the own package name', 'message/send.ts', `import { start } from 'coterie';`],
    ['a file in a folder without a row', 'utils/strings.ts', ''],
  ])('refuses %s', (_, path, source) => {
    expect(findForbiddenImports(path, source)).toHaveLength(1);
  });

  it.each([
    ['its own folder', 'contract/operations/send-message.ts', `import { limits } from '../limits.js';`],
    ['the contract and ports', 'message/send.ts', `import { a } from '../contract/a.js'; import '../ports/clock.js';`],
    ['a pure decider, from a store', 'store/sqlite/append.ts', `import { route } from '../../message/send/route.js';`],
    ['a pure decider, from a use case', 'message/send.ts', `import { f } from '../thread/decide-membership.js';`],
    ['http, from mcp', 'mcp/streamable-http.ts', `import { readBody } from '../http/body.js';`],
    ['a package', 'store/sqlite/open.ts', `import { DatabaseSync } from '@photostructure/sqlite';`],
    ['what is only spoken of', 'contract/message.ts', `/**\n * import { a } from 'x'\n */\n// from 'y', import('z')`],
    ['what is only quoted', 'contract/message.ts', `export const sql = 'select a from "b"';`],
    ['everything, from where the parts are put together', 'compose.ts', `import { o } from './store/sqlite/open.js';`],
  ])('lets a file import %s', (_, path, source) => {
    expect(findForbiddenImports(path, source)).toEqual([]);
  });
});
