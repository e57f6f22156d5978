// The app's own files, kept at installation, so that it opens without a connection. Nothing of /v1 is ever kept here.

/** The files of this build, and a name for it: set by the build. */
declare const __APP_FILES__: string[];
declare const __APP_BUILD__: string;
declare const self: ServiceWorkerGlobalScope;

const prefix = 'coterie-shell-';
const shell = `${prefix}${__APP_BUILD__}`;
const page = '/index.html';

export async function keepShell(): Promise<void> {
  const cache = await caches.open(shell);
  // `reload`: not from the browser's own cache, which may hold the files of an earlier build.
  await cache.addAll(__APP_FILES__.map((file) => new Request(file, { cache: 'reload' })));
}

export async function dropOldShells(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(prefix) && name !== shell).map((name) => caches.delete(name)),
  );
}

/** What to answer instead of the network, if anything. */
export function answerFor(request: Request): Promise<Response> | undefined {
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return undefined;
  if (request.mode === 'navigate') return isPage(url.pathname) ? navigate(request) : undefined;
  return __APP_FILES__.includes(url.pathname) ? fromShell(request) : undefined;
}

/** The hub also serves documents and data, which have no page of the app. */
function isPage(path: string): boolean {
  return path === '/' || path.startsWith('/app/');
}

/** The newest page where there is a connection, else the kept one. */
async function navigate(request: Request): Promise<Response> {
  try {
    const response = await fetch(request);
    // A proxy answers for a hub that is down; the kept page explains that better.
    if (response.status < 500) return response;
    return (await caches.match(page, { cacheName: shell })) ?? response;
  } catch (error) {
    const kept = await caches.match(page, { cacheName: shell });
    if (kept === undefined) throw error;
    return kept;
  }
}

async function fromShell(request: Request): Promise<Response> {
  return (await caches.match(request, { cacheName: shell })) ?? fetch(request);
}
