// The entry for the hub, in the form of a client.
import type { Server } from '../setup.js';

interface Forms {
  readonly http: (url: string, hasKey: boolean) => object;
  readonly stdio: (command: string, args: readonly string[]) => object;
}

export function entryOf({ http, stdio }: Forms, server: Server): object {
  if (server.kind === 'http') return http(server.url, server.hasKey);
  const [program = '', ...args] = server.command;
  return stdio(program, args);
}
