// The web app, dist/web: the page for / and everything under /app/, its scripts and pictures by their names.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { HubError } from '../../contract/errors.js';
import type { Exchange } from '../exchange.js';

const folder = fileURLToPath(new URL('../../web', import.meta.url));

type Encoding = 'br' | 'gzip' | 'identity';

interface Asset {
  type: string;
  /** Its name has a hash of its content: it never changes. */
  isImmutable: boolean;
  hash: string;
  /** Compressed once, when it is first asked for. */
  bodies: Map<Encoding, Promise<Buffer>>;
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

// Nothing inline, nothing of another host. The default policy for trusted types is made in web/src/app/trusted-types.ts.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types default',
].join('; ');

const securityHeaders = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Where the app's page is shown: a link may lead there from anywhere. */
export function isPagePath(path: string): boolean {
  return path === '/' || path === '/index.html' || path.startsWith('/app/');
}

/** Nothing of the hub's data is in these files. */
export function isAssetPath(path: string): boolean {
  return /^\/(?:assets\/|icons\/|sw\.js$|manifest\.webmanifest$)/.test(path);
}

/** Whether there was something to serve. */
export async function serveAsset(exchange: Exchange, path: string): Promise<boolean> {
  if (!isPagePath(path) && !isAssetPath(path)) return false;
  const asset = (await loadAssets()).get(isPagePath(path) ? '/index.html' : path);
  if (asset === undefined) {
    if (isPagePath(path)) throw notBuilt();
    return false;
  }
  const encoding = isText(asset) ? encodingFor(exchange.header('accept-encoding')) : 'identity';
  const etag = `"${asset.hash}-${encoding}"`;
  const headers = {
    ...securityHeaders,
    'content-type': asset.type,
    'cache-control': asset.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag,
    ...(isText(asset) ? { vary: 'accept-encoding' } : {}),
  };
  if (isKnown(exchange.header('if-none-match'), etag)) {
    exchange.bytes(304, null, headers);
    return true;
  }
  const body = await bodyOf(asset, encoding);
  exchange.bytes(200, body, encoding === 'identity' ? headers : { ...headers, 'content-encoding': encoding });
  return true;
}

let loading: Promise<Map<string, Asset>> | undefined;

function loadAssets(): Promise<Map<string, Asset>> {
  loading ??= readAssets();
  return loading;
}

async function readAssets(): Promise<Map<string, Asset>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'));
  const pairs = files.map(async (entry) => {
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(folder, file).replaceAll(sep, '/')}`;
    return [path, assetOf(path, await readFile(file))] as const;
  });
  return new Map(await Promise.all(pairs));
}

function assetOf(path: string, body: Buffer): Asset {
  return {
    type: types[extname(path)] ?? 'application/octet-stream',
    isImmutable: path.startsWith('/assets/'),
    hash: createHash('sha256').update(body).digest('base64url').slice(0, 22),
    bodies: new Map([['identity', Promise.resolve(body)]]),
  };
}

function isText({ type }: Asset): boolean {
  return type !== 'image/png' && type !== 'application/octet-stream';
}

async function bodyOf(asset: Asset, encoding: Encoding): Promise<Buffer> {
  const known = asset.bodies.get(encoding);
  if (known !== undefined) return known;
  const compressed = compress(await bodyOf(asset, 'identity'), encoding);
  asset.bodies.set(encoding, compressed);
  return compressed;
}

function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(body, { level: constants.Z_BEST_COMPRESSION });
  return promisify(brotliCompress)(body);
}

/** The best that the client names; one that it refuses (q=0) is not used. */
function encodingFor(accepted = ''): Encoding {
  const named = new Set(
    accepted
      .split(',')
      .map((part) => part.replaceAll(' ', '').toLowerCase())
      .flatMap(nameTaken),
  );
  if (named.has('br')) return 'br';
  return named.has('gzip') ? 'gzip' : 'identity';
}

function nameTaken(part: string): string[] {
  const [name = '', quality = 'q=1'] = part.split(';');
  return Number(quality.slice(2)) === 0 ? [] : [name];
}

function isKnown(given: string | undefined, etag: string): boolean {
  return given?.split(',').some((each) => each.trim().replace(/^W\//, '') === etag) === true;
}

function notBuilt(): HubError {
  return new HubError('ROUTE_UNKNOWN', 'The web app is not built.', {
    hint: 'Build it with: npm run build. MCP is at /mcp, operations at POST /v1/<operation>.',
  });
}
