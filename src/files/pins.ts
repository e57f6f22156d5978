// The devices whose keys this user verified, by hub: what a program beside an agent trusts, whatever a hub says.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { HubError } from '../contract/errors.js';

const pinnedDevice = z.object({
  person: z.string(),
  session: z.string(),
  name: z.string(),
  pinnedAt: z.string(),
});

/** By the hub's key id, then by the device's. */
const pinsFile = z.object({
  version: z.literal(1),
  hubs: z.record(z.string(), z.object({ devices: z.record(z.string(), pinnedDevice) })),
});

export type PinnedDevice = z.output<typeof pinnedDevice>;
export type PinsFile = z.output<typeof pinsFile>;

/** In the user's own folder: it is about people, not about one hub's data. */
export const pinsFileName = 'pins.json';

const bytesMax = 1024 * 1024;

/** By the device's key id; empty if nothing was pinned for this hub. */
export function pinnedDevices(file: string, hubKid: string): ReadonlyMap<string, PinnedDevice> {
  return new Map(Object.entries(readPins(file).hubs[hubKid]?.devices ?? {}));
}

export function pinDevice(file: string, hubKid: string, device: PinnedDevice & { kid: string }): void {
  const { kid, ...pinned } = device;
  const pins = readPins(file);
  (pins.hubs[hubKid] ??= { devices: {} }).devices[kid] = pinned;
  writePins(file, pins);
}

export function unpinDevice(file: string, hubKid: string, kid: string): void {
  const pins = readPins(file);
  const devices = pins.hubs[hubKid]?.devices;
  if (devices?.[kid] === undefined) return;
  delete devices[kid];
  writePins(file, pins);
}

function readPins(file: string): PinsFile {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { version: 1, hubs: {} };
    throw unusable(file, error);
  }
  try {
    if (text.length > bytesMax) throw new Error('it is too long');
    return pinsFile.parse(JSON.parse(text));
  } catch (error) {
    throw unusable(file, error);
  }
}

/** Whole or not at all, and for this user alone. */
function writePins(file: string, pins: PinsFile): void {
  const draft = `${file}.${randomUUID()}`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(draft, `${JSON.stringify(pins, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

/** Never taken for empty: then nothing would be trusted, and nobody would know why. */
function unusable(file: string, cause: unknown): HubError {
  return new HubError('USAGE', `The verified devices in ${file} cannot be read.`, {
    hint: 'Repair the file, or remove it and verify your devices again: coterie devices verify ID',
    cause,
  });
}
