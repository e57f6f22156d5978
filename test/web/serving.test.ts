// The files of the web app, as the hub serves them.
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

const get = (path: string, init: RequestInit = {}) => fetch(`${hub.url}${path}`, init);

async function scriptPath(): Promise<string> {
  return /src="(\/assets\/[^"]+\.js)"/.exec(await (await get('/')).text())?.[1] ?? '';
}

describe('the page', () => {
  it('is the same at / and everywhere under /app/', async () => {
    const page = await (await get('/')).text();
    for (const path of ['/app/question/q-1', '/app/settings', '/app/pair', '/app/what/ever']) {
      const response = await get(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(await response.text()).toBe(page);
    }
  });

  it('has nothing inline and nothing of another host', async () => {
    const page = await (await get('/')).text();
    expect(page).not.toMatch(/<style|<script(?![^>]*\bsrc=)|\son[a-z]+=|style=/);
    for (const [, url] of page.matchAll(/(?:src|href)="([^"]+)"/g)) expect(url).toMatch(/^\/(assets|icons|manifest)/);
  });

  it('comes with a strict policy', async () => {
    const { headers } = await get('/');
    const policy = (headers.get('content-security-policy') ?? '').split('; ');
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
      ]),
    );
    expect(policy.join()).not.toMatch(/unsafe|https?:|\*/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
  });

  it('is asked for anew, and answers 304 when it is the same', async () => {
    const first = await get('/');
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const etag = first.headers.get('etag') ?? '';
    const again = await get('/', { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
    expect((await get('/', { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  it('is read with GET or HEAD only', async () => {
    const head = await get('/', { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(100);
    const posted = await get('/', { method: 'POST', body: '{}' });
    expect(posted.status).toBe(405);
    expect(posted.headers.get('allow')).toBe('GET, HEAD');
  });
});

describe('the other files', () => {
  it('are kept for ever if their name has a hash', async () => {
    const script = await get(await scriptPath());
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const worker = await get('/sw.js');
    expect(worker.headers.get('cache-control')).toBe('no-cache');
    expect(worker.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  });

  it('have their types', async () => {
    const manifest = await get('/manifest.webmanifest');
    expect(manifest.headers.get('content-type')).toBe('application/manifest+json');
    const { icons, start_url: start } = (await manifest.json()) as {
      icons: { src: string; type: string }[];
      start_url: string;
    };
    expect((await get(start)).status).toBe(200);
    for (const { src, type } of icons) expect((await get(src)).headers.get('content-type')).toBe(type);
  });

  it('are compressed as the client asks', async () => {
    const path = await scriptPath();
    const bytes = async (encoding: string) => {
      const response = await rawGet(path, encoding);
      return { ...response, length: response.body.length };
    };
    const [plain, gzip, brotli] = [await bytes('identity'), await bytes('gzip'), await bytes('gzip, br')];
    expect([plain.encoding, gzip.encoding, brotli.encoding]).toEqual([undefined, 'gzip', 'br']);
    expect(gunzipSync(gzip.body)).toEqual(plain.body);
    expect(brotliDecompressSync(brotli.body)).toEqual(plain.body);
    expect(brotli.length).toBeLessThan(gzip.length);
    expect((await bytes('br;q=0, gzip;q=0.5')).encoding).toBe('gzip');
  });

  it.each(['/assets/none.js', '/assets/../package.json', '/assets/%2e%2e/.stamp', '/icons/', '/assets/.stamp'])(
    'there is nothing at %s',
    async (path) => {
      const { body, status } = await rawGet(path, 'identity');
      expect(status).toBe(404);
      expect(JSON.parse(body.toString())).toMatchObject({ error: { code: 'ROUTE_UNKNOWN' } });
    },
  );
});

/** fetch would undo the compression and the dots. */
function rawGet(path: string, encoding: string) {
  return new Promise<{ status: number; encoding: string | undefined; body: Buffer }>((resolve, reject) => {
    const sent = request(hub.url, { path, headers: { 'accept-encoding': encoding } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          encoding: response.headers['content-encoding'],
          body: Buffer.concat(chunks),
        }),
      );
    });
    sent.on('error', reject).end();
  });
}
