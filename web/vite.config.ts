// Two builds: the app, and with `--mode worker` the service worker, which is one script without imports.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { defineConfig, type ProxyOptions, type UserConfig } from 'vite';

const folder = import.meta.dirname;
const outDir = join(folder, '..', 'dist', 'web');

export default defineConfig(({ mode }) => (mode === 'worker' ? worker() : app()));

const shared: UserConfig = {
  root: folder,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
};

function app(): UserConfig {
  return {
    ...shared,
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
    server: { proxy: { '/v1': toHub, '/app/hub': toHub, '/app/pair': toHub, '/app/sign-': toHub } },
  };
}

/** For `vite` itself, which serves the sources to those who work on them: docs/web.md. The hub checks the page's origin. */
const toHub: ProxyOptions = {
  target: process.env['COTERIE_URL'] ?? 'http://127.0.0.1:4100',
  changeOrigin: false,
  bypass: ({ headers, url }) => (headers.accept?.includes('text/html') === true ? url : undefined),
};

function worker(): UserConfig {
  const files = builtFiles();
  return {
    ...shared,
    publicDir: false,
    define: {
      __APP_FILES__: JSON.stringify(files.map((file) => `/${relative(outDir, file).replaceAll(sep, '/')}`)),
      __APP_BUILD__: JSON.stringify(hashOf(files)),
    },
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2022',
      reportCompressedSize: false,
      rollupOptions: {
        input: join(folder, 'src', 'worker', 'sw.ts'),
        output: { entryFileNames: 'sw.js', format: 'iife' },
      },
    },
  };
}

function builtFiles(): string[] {
  if (!existsSync(outDir)) return [];
  return readdirSync(outDir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(outDir, name))
    .filter((file) => statSync(file).isFile() && !file.endsWith('.stamp'))
    .toSorted();
}

function hashOf(files: string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}
