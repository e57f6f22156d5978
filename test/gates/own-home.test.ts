// No test can reach the hub of the person who runs the tests: whatever names no folder, uses one of the run.
import { spawnSync } from 'node:child_process';
import { homedir, tmpdir, userInfo } from 'node:os';
import { getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, it } from 'vitest';
import { userFolder } from '../../dist/config/which-folder.js';

it('a test and its processes have a home of their own, also where a client passes on few variables', () => {
  expect(homedir()).not.toBe(userInfo().homedir);
  expect(userFolder(process.env).startsWith(tmpdir())).toBe(true);
  for (const env of [process.env, getDefaultEnvironment()]) {
    const { stdout } = spawnSync(process.execPath, ['-p', 'os.homedir()'], { env, encoding: 'utf8' });
    expect(stdout.trim()).toBe(homedir());
  }
});
