// Redis that answers a write only when it is on disk; Redis Streams and BullMQ each get one of their own.
import { program } from './install.mjs';
import { startService } from './service.mjs';

export function startRedis() {
  return startService(program('redis-server'), {
    ready: /Ready to accept/,
    prepare: ({ folder, port }) => [
      '--bind',
      '127.0.0.1',
      '--port',
      String(port),
      '--dir',
      folder,
      '--appendonly',
      'yes',
      '--appendfsync',
      'always',
      '--save',
      '',
    ],
  });
}
