// Serves the fixture tables. The hub's tools are listed too, so that the suite checks their schemas.
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerNotifier,
} from '@modelcontextprotocol/server';
import { instructions } from '../instructions.js';
import { defaultTools } from '../tool-call.js';
import { listTools } from '../tool-list.js';
import { fastPathTools } from './fast-path-operations.js';
import { completePrompt, prompts } from './prompts.js';
import { findResource, resourceList, resourceTemplates } from './resources.js';
import { verifyState } from './round-state.js';
import { fixtureTools } from './tools.js';

const capabilities = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  completions: {},
  logging: {},
};

export function buildFixtureServer(serverInfo: { name: string; version: string }, notify: ServerNotifier): Server {
  const server = new Server(serverInfo, { capabilities, instructions, requestState: { verify: verifyState } });
  const tools = [...listTools(defaultTools), ...fastPathTools, ...[...fixtureTools.values()].map(({ tool }) => tool)];

  server.setRequestHandler('tools/list', () => ({ tools }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const fixture = fixtureTools.get(params.name) ?? refuse(`There is no tool '${params.name}'.`);
    const client = server.getClientCapabilities() ?? {};
    return fixture.call({ input: params.arguments ?? {}, request: mcpReq, client, notify });
  });

  server.setRequestHandler('prompts/list', () => ({ prompts: [...prompts.values()].map(({ prompt }) => prompt) }));
  server.setRequestHandler('prompts/get', async ({ params }, { mcpReq }) => {
    const fixture = prompts.get(params.name) ?? refuse(`There is no prompt '${params.name}'.`);
    return fixture.get(params.arguments ?? {}, mcpReq);
  });
  server.setRequestHandler('completion/complete', ({ params }) => completePrompt(params.argument.value));

  server.setRequestHandler('resources/list', () => ({ resources: resourceList }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }));
  server.setRequestHandler('resources/read', ({ params }) => {
    const contents = findResource(params.uri);
    if (contents === undefined) throw new ResourceNotFoundError(params.uri);
    return { contents: [contents] };
  });
  // Nothing ever changes, so nothing is stored. The 2026 era has no such methods, and the SDK refuses them.
  server.setRequestHandler('resources/subscribe', () => ({}));
  server.setRequestHandler('resources/unsubscribe', () => ({}));
  return server;
}

function refuse(message: string): never {
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
