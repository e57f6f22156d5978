// A local file as a block, for a program on Node.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { HubError, limits } from '../../dist/contract/index.js';
import { fileBlock } from '../../dist/files/index.js';

const folder = mkdtempSync(join(tmpdir(), 'coterie-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, Buffer.from(content, 'latin1'));
  return path;
}

const png = '\x89PNG\r\n\x1a\nrest';

describe('fileBlock', () => {
  it('reads a path, a file: URL and a URL object', async () => {
    const path = write('a picture.png', png);
    const data = Buffer.from(png, 'latin1').toString('base64');
    const block = { type: 'image', source: { type: 'base64', mediaType: 'image/png', data } };
    for (const given of [path, String(pathToFileURL(path)), pathToFileURL(path)]) {
      expect(await fileBlock(given)).toEqual(block);
    }
  });

  it.each([
    ['by.png', '\xff\xd8\xff\xe0', 'image', 'image/jpeg'],
    ['noextension', 'GIF89a', 'image', 'image/gif'],
    ['a.webp', 'RIFF1234WEBPVP8 ', 'image', 'image/webp'],
    ['a.wav', 'RIFF1234WAVEfmt ', 'audio', 'audio/wav'],
    ['a.mp3', '\xff\xfb\x90', 'audio', 'audio/mpeg'],
    ['a.m4a', '\0\0\0\x20ftypM4A ', 'audio', 'audio/mp4'],
    ['A.MP4', '\0\0\0\x20ftypisom', 'video', 'video/mp4'],
    ['a.webm', '\x1a\x45\xdf\xa3', 'video', 'video/webm'],
  ])('knows %s by its content, else by its extension', async (name, content, type, mediaType) => {
    expect(await fileBlock(write(name, content))).toMatchObject({ type, source: { mediaType } });
  });

  const refusal = async (file: string | URL, options = {}) => {
    const error: unknown = await fileBlock(file, options).catch((thrown: unknown) => thrown);
    if (!(error instanceof HubError)) throw new Error(`not refused: ${String(file)}`);
    return `${error.code}: ${error.message}`;
  };

  it('refuses what is no medium, no file, empty or not there', async () => {
    expect(await refusal(write('notes.txt', 'hello'))).toMatch(/^INVALID_INPUT: .*notes\.txt' is no image, audio/);
    expect(await refusal(folder)).toMatch(/^INVALID_INPUT: .* is not a regular file/);
    expect(await refusal(write('empty.png', ''))).toMatch(/^INVALID_INPUT: .* is empty/);
    expect(await refusal(join(folder, 'none.png'))).toMatch(/^INVALID_INPUT: .* cannot be read/);
    expect(await refusal('nul\0.png')).toMatch(/^INVALID_INPUT: .* cannot be read/);
    expect(await refusal(`${'x'.repeat(5_000)}.png`)).toMatch(/^INVALID_INPUT: A path has at most/);
    expect(await refusal('file://elsewhere/x.png')).toMatch(/^INVALID_INPUT: .* names no file of this machine/);
  });

  it('refuses more than an attachment may have, without reading it', async () => {
    const path = write('huge.png', png);
    truncateSync(path, limits.attachmentBytes + 1);
    expect(await refusal(path)).toMatch(/^TOO_LARGE: .* has more than 8388608 bytes/);
    truncateSync(path, limits.attachmentBytes);
    expect(await fileBlock(path)).toMatchObject({ type: 'image' });
  });

  it.skipIf(process.platform === 'win32')('does not wait for the writer of a pipe', async () => {
    const pipe = join(folder, 'pipe.png');
    execFileSync('mkfifo', [pipe]);
    expect(await refusal(pipe)).toMatch(/^INVALID_INPUT: .* is not a regular file/);
  });

  it('stays in a folder, whatever links and paths lead out of it', async () => {
    const inner = join(folder, 'project');
    mkdirSync(join(inner, '..deep'), { recursive: true });
    const secret = write('secret.png', png);
    writeFileSync(join(inner, '..deep', 'own.png'), Buffer.from(png, 'latin1'));
    symlinkSync(secret, join(inner, 'link.png'));
    symlinkSync(join(inner, '..deep'), join(inner, 'linked'));
    for (const file of ['../secret.png', 'link.png', secret, pathToFileURL(secret), '..deep/../../secret.png']) {
      expect(await refusal(file, { folder: inner })).toMatch(/^FORBIDDEN: .* is outside of /);
    }
    for (const file of ['..deep/own.png', 'linked/own.png', join(inner, '..deep', 'own.png')]) {
      expect(await fileBlock(file, { folder: inner })).toMatchObject({ type: 'image' });
    }
  });

  describe.skipIf(process.platform === 'win32')('opens nothing outside of a folder', () => {
    const inner = join(folder, 'raced');
    const [own, sub] = [join(inner, 'sub', 'own.png'), join(inner, 'sub')];
    const outside = join(folder, 'outside');
    mkdirSync(sub, { recursive: true });
    mkdirSync(outside);
    writeFileSync(own, Buffer.from(png, 'latin1'));
    writeFileSync(join(outside, 'own.png'), Buffer.from(`${png} secret`, 'latin1'));

    /** Swaps a path for a link to its like outside right before the file is opened, and maybe back right after. */
    async function refusalWhenSwapped(path: string, target: string, isSwappedBack: boolean) {
      const { open } = files;
      const swapBack = () => {
        rmSync(path);
        renameSync(`${path}-away`, path);
      };
      files.open = async (...args) => {
        renameSync(path, `${path}-away`);
        symlinkSync(target, path);
        try {
          return await open(...args);
        } finally {
          if (isSwappedBack) swapBack();
        }
      };
      syncBuiltinESMExports();
      try {
        return await refusal(own, { folder: inner });
      } finally {
        files.open = open;
        syncBuiltinESMExports();
        if (!isSwappedBack) swapBack();
      }
    }

    it.each([false, true])('when a file becomes a link (and is one no more: %s)', async (isSwappedBack) => {
      const said = await refusalWhenSwapped(own, join(outside, 'own.png'), isSwappedBack);
      expect(said).toMatch(/^INVALID_INPUT: .* cannot be read/);
      expect(await fileBlock(own, { folder: inner })).toMatchObject({ type: 'image' });
    });

    it.each([false, true])('when a folder becomes a link (and is one no more: %s)', async (isSwappedBack) => {
      const said = await refusalWhenSwapped(sub, outside, isSwappedBack);
      expect(said).toMatch(/^FORBIDDEN: .* is outside of |^INVALID_INPUT: .* cannot be read/);
      expect(await fileBlock(own, { folder: inner })).toMatchObject({ type: 'image' });
    });
  });
});
