// A hub whose disk fails on demand, by a small library between it and the operating system. It is compiled here.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { tempFolder } from '../support/temp-folder.js';

const source = fileURLToPath(new URL('failing-disk.c', import.meta.url));
const compiler = 'cc';
const errnos = { EIO: 5, EDQUOT: 122 } as const;

export interface FailingDisk {
  hub: HubProcess;
  fail(call: 'write' | 'fsync', errno: keyof typeof errnos): void;
  recover(): void;
}

/** Named in the title of a test that is skipped. */
export const whyNoFaults =
  process.platform !== 'linux'
    ? 'Linux only'
    : spawnSync(compiler, ['--version']).status === 0
      ? undefined
      : 'needs a C compiler (Debian: apt-get install gcc libc6-dev)';

export async function onFailingDisk(): Promise<FailingDisk> {
  const folder = tempFolder();
  const library = join(folder, 'failing-disk.so');
  const compiled = spawnSync(compiler, ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'], {
    encoding: 'utf8',
  });
  if (compiled.status !== 0) throw new Error(compiled.stderr);
  const faults = join(folder, 'fault');
  const set = (text: string) => writeFileSync(faults, text);
  set('none');
  const hub = await startHubProcess({ env: { LD_PRELOAD: library, FAULT_FILE: faults } });
  return {
    hub,
    fail: (call, errno) => set(`${call} ${errnos[errno]}`),
    recover: () => set('none'),
  };
}
