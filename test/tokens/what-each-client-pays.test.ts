// What each client's model is shown of a result, and what that costs, through the real door.
import { describe, expect, it } from 'vitest';
import { knownClients } from '../support/clients-known.js';
import { countTokens } from '../support/count-tokens.js';
import { call } from '../support/http-call.js';
import { connectMcp, type ToolAnswer } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

/** Of a result that has both forms, as measured with the clients themselves (docs/decisions/0017). */
const showsOf: Record<string, (text: string, json: string) => string> = {
  'claude-code': (_, json) => json,
  'codex-mcp-client': (_, json) => json,
  opencode: (text) => text,
  'gemini-cli-mcp-client': (text) => text,
  'copilot-cli': (text, json) => text + json,
};

function shownBy(client: string, { text, structured }: ToolAnswer): string {
  return structured === undefined ? text : (showsOf[client]?.(text, JSON.stringify(structured)) ?? text);
}

async function read(client: string, results?: string): Promise<ToolAnswer> {
  const session = `${client}-${results}`;
  await call(hub.url, 'register_agent', { agentId: 'ben' }, { session });
  const message = 'The totals are in; the northern region is 4 % above plan and the rest on it.';
  await call(hub.url, 'send_message', { target: 'ben', message }, { agent: 'ann', session });
  const address = `${hub.url}/mcp?agent=ben&session=${session}${results === undefined ? '' : `&results=${results}`}`;
  const connected = await connectMcp('v2 2026', address, client);
  const answer = await connected.call('get_messages', {});
  await connected.close();
  return answer;
}

describe('a mail', () => {
  it.each(knownClients.map(([name]) => name))('costs the model of %s its text, once', async (client) => {
    const [now, both] = [await read(client), await read(client, 'both')];
    expect(shownBy(client, now)).toBe(now.text);
    const tokens = countTokens(shownBy(client, now));
    expect(tokens).toBeLessThanOrEqual(80);
    if (client === 'claude-code' || client === 'codex-mcp-client' || client === 'copilot-cli') {
      expect(countTokens(shownBy(client, both))).toBeGreaterThan(1.5 * tokens);
    }
  });
});
