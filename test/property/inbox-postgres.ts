// The PostgreSQL store for the property. The model's clock is its clock too.
import type { Store } from '../../dist/ports/store.js';
import { openPostgresStore } from '../../dist/store/postgres/postgres-store.js';
import { fail } from './inbox-world.js';

export function startPostgres(url: string): Promise<Store> {
  return openPostgresStore({
    url,
    usesHubTime: true,
    onBatch() {},
    onNotices() {},
    onBug: fail,
  });
}
