// The settings that promises rest on are a hub's own, whatever its address says.
import { expect, it } from 'vitest';
import { openPool } from '../../dist/store/postgres/connection/connections.js';
import { tempFolder } from '../support/temp-folder.js';
import { databaseOf } from '../support/test-database.js';

it("options in the address are heeded beside the hub's own", async () => {
  const folder = tempFolder();
  const address = new URL((await databaseOf(folder)) ?? '');
  address.searchParams.set('options', '-c search_path=elsewhere -c synchronous_commit=off');
  const pool = openPool({ url: address.href, name: 'coterie test', max: 1 });
  try {
    const names = ['search_path', 'synchronous_commit', 'idle_in_transaction_session_timeout'];
    const { rows } = await pool.query(
      `select ${names.map((name) => `current_setting('${name}') as ${name}`).join(', ')}`,
    );
    expect(rows).toEqual([
      { search_path: 'elsewhere', synchronous_commit: 'on', idle_in_transaction_session_timeout: '3s' },
    ]);
  } finally {
    await pool.end();
  }
});
