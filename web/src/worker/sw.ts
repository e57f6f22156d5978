// The service worker, served as /sw.js.
/** The files of this build, and a name for it: set by the build. */
declare const __APP_FILES__: string[];
declare const __APP_BUILD__: string;

// The library's `self` is that of any worker.
const worker = self as unknown as ServiceWorkerGlobalScope;

worker.addEventListener('install', () => void worker.skipWaiting());
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));

void __APP_FILES__;
void __APP_BUILD__;
