// Bundles the programs of dist, the command and the hub's threads, each at its place: loading a thousand small modules took
// half of a hub's start. The modules themselves stay as they are, for those who import the package.
import { existsSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { defineConfig } from 'vite';
import { root } from './tool.mjs';

const src = join(root, 'src');
// A sample of the package may have no threads.
const programs = [
  'cli/main',
  'store/sqlite/writer/writer-thread',
  'store/sqlite/writer/checkpoint-thread',
  'store/sqlite/reader/reader-thread',
].filter((name) => existsSync(join(src, `${name}.ts`)));

export default defineConfig({
  root,
  logLevel: 'warn',
  publicDir: false,
  plugins: [keepModuleUrls()],
  build: {
    ssr: true,
    outDir: 'dist',
    emptyOutDir: false,
    target: 'node20',
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      input: Object.fromEntries(programs.map((name) => [name, join(src, `${name}.ts`)])),
      output: { entryFileNames: '[name].js', chunkFileNames: 'bundled/[name]-[hash].js' },
    },
  },
});

/** A module finds files beside it (migrations, threads, the web app) by its own URL, also when it has moved into a bundle. */
function keepModuleUrls() {
  return {
    name: 'keep-module-urls',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(src + sep) || !code.includes('import.meta.url')) return null;
      const path = relative(src, id).replaceAll(sep, '/').replace(/\.ts$/, '.js');
      return { code: code.replaceAll('import.meta.url', `__url_of(${JSON.stringify(path)})`), map: null };
    },
    renderChunk(code, { fileName }) {
      if (!code.includes('__url_of(')) return null;
      const here = dirname(fileName);
      const replaced = code.replaceAll(/__url_of\("([^"]+)"\)/g, (_, path) => {
        const target = posix.relative(here, path);
        return `new URL(${JSON.stringify(target)}, import.meta.url).href`;
      });
      return { code: replaced, map: null };
    },
  };
}
