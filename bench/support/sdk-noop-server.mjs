// The yardstick: a no-op tool on a plain server built with the official SDK.
import { createServer } from 'node:http';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'noop', version: '1' });
  const inputSchema = z.object({ target: z.string(), message: z.string() });
  server.registerTool('noop', { description: 'no-op', inputSchema }, async () => ({
    content: [{ type: 'text', text: 'ok' }],
  }));
  return server;
});

const server = createServer((request, response) => void serve(request, response));

async function serve(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const parsedBody = JSON.parse(Buffer.concat(chunks).toString());
  const webRequest = new Request('http://127.0.0.1/mcp', { method: 'POST', headers: request.headers });
  const answer = await handler.fetch(webRequest, { parsedBody });
  const text = await answer.text();
  response.writeHead(answer.status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}
server.listen(0, '127.0.0.1', () => console.log(`ready http://127.0.0.1:${server.address().port}`));
process.once('SIGTERM', () => process.exit(0));
