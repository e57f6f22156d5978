// What this browser keeps, in IndexedDB: the page and the service worker read the same.
// Texts of questions and answers are kept sealed only.

/** `own`: the device and its choices. `pins`: keys of senders. `outbox`: what is not sent yet. `lists`: what was read last. */
export type Shelf = 'own' | 'pins' | 'outbox' | 'lists';
const shelves: readonly Shelf[] = ['own', 'pins', 'outbox', 'lists'];

let opening: Promise<IDBDatabase> | undefined;
function forget(): void {
  opening = undefined;
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('coterie', 1);
    request.addEventListener('upgradeneeded', () => {
      for (const shelf of shelves) request.result.createObjectStore(shelf);
    });
    request.addEventListener('success', () => {
      const database = request.result;
      // Another page has a newer app, or the browser ended the connection: it is opened again at the next use.
      database.addEventListener('versionchange', () => {
        database.close();
        forget();
      });
      database.addEventListener('close', forget);
      resolve(database);
    });
    request.addEventListener('error', () => {
      reject(request.error ?? new Error('IndexedDB does not open.'));
    });
  });
}

async function run<T>(
  shelf: Shelf,
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  opening ??= openDatabase();
  opening.catch(() => {
    opening = undefined;
  });
  const transaction = (await opening).transaction(shelf, mode);
  const request = ask(transaction.objectStore(shelf));
  return new Promise((resolve, reject) => {
    // Complete, not only successful: what was written survives the end of the worker.
    transaction.addEventListener('complete', () => {
      resolve(request.result);
    });
    transaction.addEventListener('abort', () => {
      reject(transaction.error ?? new Error('IndexedDB gave up.'));
    });
  });
}

/** The caller knows the shape: only this app writes here. */
export async function read<T>(shelf: Shelf, key: string): Promise<T | undefined> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Only this app writes here.
  return run(shelf, 'readonly', (store) => store.get(key) as IDBRequest<T | undefined>);
}

/** In the order of their keys. */
export async function readAll<T>(shelf: Shelf): Promise<T[]> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Only this app writes here.
  return run(shelf, 'readonly', (store) => store.getAll() as IDBRequest<T[]>);
}

export async function write(shelf: Shelf, key: string, value: unknown): Promise<void> {
  await run(shelf, 'readwrite', (store) => store.put(value, key));
}

export async function remove(shelf: Shelf, key: string): Promise<void> {
  await run(shelf, 'readwrite', (store) => store.delete(key));
}

export async function clear(shelf: Shelf): Promise<void> {
  await run(shelf, 'readwrite', (store) => store.clear());
}
