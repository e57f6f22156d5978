// Where clients look for a login they find a text that says what to do instead, and show it.
import { StreamableHTTPClientTransport as HttpV2, Client as ClientV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it } from 'vitest';
import { startHubInProcess } from '../support/hub-in-process.js';
import { makeKeyIn } from '../support/key-folder.js';
import { tempFolder } from '../support/temp-folder.js';
import { startedBefore, useHub } from '../support/use-hub.js';
import { ask } from './raw-http.js';

const open = useHub();
const keyed = startedBefore(async () => {
  const data = tempFolder();
  await makeKeyIn(data);
  return startHubInProcess({ data });
});

const paths = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-authorization-server/mcp',
  '/.well-known/openid-configuration',
  '/.well-known/openid-configuration/mcp',
  '/mcp/.well-known/openid-configuration',
  '/mcp/.well-known/oauth-protected-resource',
  '/register',
  '/authorize?client_id=x&redirect_uri=y',
  '/token',
];

describe('without keys', () => {
  it.each(paths)('%s says that none is needed', async (path) => {
    for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
      const { status, headers, body } = await ask(open.url, {
        method,
        path,
        headers: { 'content-length': '4' },
        body: '{"a"',
      });
      expect([status, headers['content-type']]).toEqual([404, 'application/json']);
      expect(body).toEqual({
        error: 'not_found',
        error_description: expect.stringMatching(/needs no login and no key/),
      });
    }
  });
});

describe('with keys', () => {
  it.each(paths)('%s says how to get one, without one', async (path) => {
    for (const method of ['GET', 'POST', 'PUT']) {
      const { status, headers, body } = await ask(keyed.url, {
        method,
        path,
        headers: { 'content-length': '4' },
        body: 'a=bc',
      });
      expect([status, headers['content-type']]).toEqual([404, 'application/json']);
      expect(body).toEqual({
        error: 'not_found',
        error_description: expect.stringMatching(/coterie keys create --agent NAME[^]*Authorization: Bearer/),
      });
    }
  });

  const provider = {
    redirectUrl: 'http://127.0.0.1:9/callback',
    clientMetadata: { redirect_uris: ['http://127.0.0.1:9/callback'], client_name: 'test' },
    clientInformation: () => undefined,
    saveClientInformation() {},
    tokens: () => undefined,
    saveTokens() {},
    redirectToAuthorization() {
      throw new Error('nobody may be sent to a login');
    },
    saveCodeVerifier() {},
    codeVerifier: () => 'verifier',
  };

  it('the official clients show it to the person whose key is missing', async () => {
    const url = new URL(`${keyed.url}/mcp`);
    const info = { name: 'test', version: '1' };
    const v1 = new ClientV1(info).connect(new HttpV1(url, { authProvider: provider }));
    await expect(v1).rejects.toThrow(/coterie keys create --agent NAME/);
    const v2 = new ClientV2(info).connect(new HttpV2(url, { authProvider: provider }));
    await expect(v2).rejects.toThrow(/coterie keys create --agent NAME/);
  });
});
