// The command line writes keys beside a hub that is writing for long, such as an import.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openKeyStore } from '../../dist/store/sqlite/key-store.js';
import { openDatabase } from '../../dist/store/sqlite/writer/driver.js';
import { cliAudit } from '../support/cli-audit.js';
import { tempFolder } from '../support/temp-folder.js';

it('says that the database is busy, and has stored nothing', { tags: ['long'] }, async () => {
  const folder = tempFolder();
  const keys = await openKeyStore(folder);
  const writer = openDatabase(join(folder, 'coterie.db'));
  writer.exec('begin immediate');
  const audit = cliAudit('default');
  const adding = keys.addPerson({ sessionId: 'default', id: 'pat', name: null, at: 1, audit });
  await expect(adding).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  writer.exec('rollback');
  expect(await keys.addPerson({ sessionId: 'default', id: 'pat', name: null, at: 1, audit })).toMatchObject({
    isNew: true,
  });
  writer.close();
  await keys.close();
});
