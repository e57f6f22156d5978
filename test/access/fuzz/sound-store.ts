// What is true of the tables whatever was called: the file is whole, no seq is missing, no copy is in two places.
import { expect } from 'vitest';
import { databaseOf } from '../../support/test-database.js';
import { rowsOf } from '../store-rows.js';

export async function sessionsIn(folder: string): Promise<string[]> {
  return (await rowsOf(folder, 'select id from session')).map(({ id }) => String(id));
}

const gaps = 'select session_id from message group by session_id having count(*) <> max(seq)';

/** A message is named by its row in one store and by its seq in the other. */
const inTwoPlaces = (name: 'n' | 'seq') => `select pending.agent_id from pending join delivery
  on delivery.session_id = pending.session_id and delivery.agent_id = pending.agent_id and delivery.${name} = pending.${name}`;

const lettersOfNothing = `select id from dead_letter where not exists
  (select 1 from message where message.session_id = dead_letter.session_id and message.seq = dead_letter.seq)`;

export async function expectSoundStore(folder: string): Promise<void> {
  const isEmbedded = (await databaseOf(folder)) === null;
  if (isEmbedded) expect(await rowsOf(folder, 'pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  for (const sql of [gaps, inTwoPlaces(isEmbedded ? 'n' : 'seq'), lettersOfNothing]) {
    expect(await rowsOf(folder, sql), sql).toEqual([]);
  }
}
