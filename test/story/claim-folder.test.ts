// Two hubs that start in one data folder at the same moment: one gets it, and its note stays.
import { expect, it, vi } from 'vitest';
import * as fileLock from '../../src/store/sqlite/writer/file-lock.js';
import { DataFolder, isLocked, readHubNote } from '../../src/store/sqlite/writer/data-folder.js';
import { tempFolder } from '../support/temp-folder.js';

vi.mock('../../src/store/sqlite/writer/file-lock.js', { spy: true });

function start(path: string, pid: number): DataFolder | string {
  try {
    const folder = DataFolder.claim(path);
    folder.noteHub({ pid, url: `http://127.0.0.1:${pid}` });
    return folder;
  } catch (error) {
    return String(error);
  }
}

it('a start that saw the folder free does not remove the note of one that was faster', () => {
  const path = tempFolder();
  const { isFileLocked } = fileLock;
  let second: DataFolder | string | undefined;
  // Between the first one's look at the lock and what it does next.
  vi.mocked(isFileLocked).mockImplementationOnce(() => {
    second = start(path, 2);
    return false;
  });
  const first = start(path, 1);
  const holders = [first, second].filter((started) => started instanceof DataFolder);
  expect(holders).toHaveLength(1);
  expect([first, second]).toContainEqual(expect.stringContaining('in use'));
  expect(isLocked(path)).toBe(true);
  expect(readHubNote(path)?.pid).toBe(first instanceof DataFolder ? 1 : 2);
  for (const holder of holders) holder.release();
});
