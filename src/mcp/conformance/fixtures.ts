// COTERIE_CONFORMANCE=1, tests only: what the official MCP conformance suite calls on a server, besides the hub's own
// tools. Text tools are operations and take the fast path; the rest needs the SDK, and in the 2025 era a session.
import type { BoundOperation } from '../../dispatch/bind.js';
import type { Fixtures } from '../endpoint.js';
import { serveWithFetch, type SdkPorts } from '../sdk-handler.js';
import { createFixtureHandler } from './fixture-handler.js';
import { fastPathOperations } from './fast-path-operations.js';
import { fixtureTools } from './tools.js';

export interface ConformanceParts {
  operations: readonly BoundOperation[];
  fixtures: Fixtures;
}

export function createConformanceParts(ports: Pick<SdkPorts, 'serverInfo' | 'log'>): ConformanceParts {
  const handler = createFixtureHandler(ports);
  const fixtures: Fixtures = {
    handles(body) {
      const tool = toolOf(body);
      return tool === undefined || fixtureTools.has(tool);
    },
    serve: (exchange, body) => serveWithFetch(handler, exchange, { body }),
    close: () => handler.close(),
  };
  return { operations: fastPathOperations, fixtures };
}

/** The tool a message calls; undefined for every other message. */
function toolOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('method' in body) || body.method !== 'tools/call')
    return undefined;
  const params = 'params' in body ? body.params : undefined;
  if (typeof params !== 'object' || params === null || !('name' in params)) return undefined;
  return typeof params.name === 'string' ? params.name : undefined;
}
