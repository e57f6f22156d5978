// Both eras of the fixtures: stateless in 2026; with sessions in 2025, where the server may send requests.
import { createMcpHandler, isLegacyRequest, type McpHttpHandler } from '@modelcontextprotocol/server';
import type { SdkPorts } from '../sdk-handler.js';
import { buildFixtureServer } from './fixture-server.js';
import { LegacySessions } from './legacy-sessions.js';

export function createFixtureHandler({
  serverInfo,
  log,
}: Pick<SdkPorts, 'serverInfo' | 'log'>): Pick<McpHttpHandler, 'fetch' | 'close'> {
  const onerror = (error: Error) => log.info('mcp refused', { error: error.message });
  const build = () => buildFixtureServer(serverInfo, modern.notify);
  const modern = createMcpHandler(build, { legacy: 'reject', onerror });
  const legacy = new LegacySessions(build);
  return {
    async fetch(request, options = {}) {
      const isLegacy = await isLegacyRequest(request, options.parsedBody);
      return isLegacy ? legacy.fetch(request, options) : modern.fetch(request, options);
    },
    async close() {
      await modern.close();
      await legacy.close();
    },
  };
}
