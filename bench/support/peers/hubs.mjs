// Hubs as one would run them: one on a folder of its own, or several that share a PostgreSQL. Both answer where the hubs
// are and how to end them with all they stored.
import { hubCli, startProgram } from '../processes.mjs';
import { startPostgres } from './postgres-server.mjs';
import { startService } from './service.mjs';

export async function hubOnSqlite() {
  const service = await startService(process.execPath, {
    prepare: ({ folder, port }) => [hubCli, 'serve', '--port', String(port), '--data', folder],
  });
  return { urls: [`http://127.0.0.1:${service.port}`], stop: service.stop };
}

export async function hubsOnPostgres(count) {
  const server = await startPostgres();
  const hubs = [];
  const stop = async () => {
    for (const hub of hubs) await hub.stop();
    await server.stop();
  };
  try {
    const serve = [hubCli, 'serve', '--port', '0', '--database', server.address];
    while (hubs.length < count) hubs.push(await startProgram(process.execPath, serve));
  } catch (error) {
    await stop();
    throw error;
  }
  return { urls: hubs.map(({ address }) => address), stop };
}
