// A key belongs into a header. One in a URL is refused, and not repeated anywhere.
import { expect, it } from 'vitest';
import { makeKeyText } from '../../dist/access/key-text.js';
import { useHubProcess } from '../support/use-hub-process.js';
import { ask } from './raw-http.js';

const hub = useHubProcess();
const { text: key } = makeKeyText();

it.each([
  `/mcp?key=${key}`,
  `/mcp?agent=ann&token=s3cret`,
  `/v1/events?access_token=s3cret`,
  `/v1/list_agents?API_KEY=s3cret`,
  `/?key=s3cret`,
  `/healthz?token=s3cret`,
  `/.well-known/oauth-protected-resource?access_token=s3cret`,
  `/mcp?agent=${key}`,
  `/mcp/${key}`,
  `/${key}`,
  `/authorize?x=${key}`,
])('%s', async (path) => {
  for (const method of ['GET', 'POST']) {
    const { status, body } = await ask(hub.url, { method, path, ...(method === 'POST' ? { body: '{}' } : {}) });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'KEY_IN_URL', hint: expect.stringContaining('Authorization: Bearer') });
    expect(JSON.stringify(body)).not.toMatch(/s3cret|coterie_[a-z0-9]{12}_/);
  }
  expect(hub.stderr()).not.toMatch(/s3cret|coterie_[a-z0-9]{12}_/);
});
