// The switch that stops every wake on this machine, or every wake of one agent: a file that is there while it is off.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeDataFolder, replaceFile } from '../../store/sqlite/writer/data-folder.js';
import type { Pause } from './pace.js';
import { wakeFolder } from './wake-folder.js';

const offEnding = '.off';
/** No agent's id begins with a dot. */
const everyone = '.all';

const fileOf = (agent = everyone) => join(wakeFolder(), `${agent}${offEnding}`);

export function setSwitch(isOn: boolean, agent?: string): void {
  if (isOn) return rmSync(fileOf(agent), { force: true });
  makeDataFolder(wakeFolder());
  replaceFile(fileOf(agent), '');
}

export function switchedOff(agent: string | undefined): Pause | undefined {
  if (existsSync(fileOf())) return { why: 'switched off on this machine: coterie wake on' };
  if (agent === undefined || !existsSync(fileOf(agent))) return undefined;
  return { why: `switched off for ${agent} on this machine: coterie wake on --agent ${agent}` };
}

/** Whose wakes are off; `everyone` is for all. */
export function switchesOff(): { everyone: boolean; agents: string[] } {
  const files = existsSync(wakeFolder()) ? readdirSync(wakeFolder()) : [];
  const names = files.filter((name) => name.endsWith(offEnding)).map((name) => name.slice(0, -offEnding.length));
  return { everyone: names.includes(everyone), agents: names.filter((name) => name !== everyone).toSorted() };
}
