// GET /app/hub has the lines with which agents connect: they lead to this hub, and name a key only where one is needed.
import { describe, expect, it } from 'vitest';
import { clientIds } from '../../dist/contract/connect/connect-hints.js';
import { placeholderId } from '../../dist/contract/ids.js';
import { connectMcp } from '../support/mcp-clients.js';
import { useKeyedHub } from '../support/keyed-hub.js';
import { useHub } from '../support/use-hub.js';

interface Described {
  url: string;
  mode: string;
  connect: { id: string; client: string; text: string }[];
}

const describeHub = async (url: string) => (await (await fetch(`${url}/app/hub`)).json()) as Described;

describe('the page’s connect lines', () => {
  const open = useHub();
  const { hub: keyed, key } = useKeyedHub({ ann: ['send', 'read', 'signal'] });

  it('name every client, and the address of a hub without keys works once it has a name', async () => {
    const { mode, connect } = await describeHub(open.url);
    expect(mode).toBe('open');
    expect(connect.map(({ id }) => id)).toEqual([...clientIds]);
    for (const { text } of connect) expect(text).toContain(open.url);
    expect(JSON.stringify(connect)).not.toMatch(/COTERIE_KEY|Bearer/);
    const line = connect.find(({ id }) => id === 'claude')?.text ?? '';
    const [, address = ''] = /"(http[^"]+)"/.exec(line) ?? [];
    const client = await connectMcp('v2 2026', address.replace(placeholderId, 'ann'));
    expect((await client.call('list_agents', {})).isError).toBe(false);
    await client.close();
  });

  it('read the key from the environment where a hub has keys, and contain none', async () => {
    const { mode, connect } = await describeHub(keyed.url);
    expect(mode).toBe('keys');
    expect(connect.map(({ id }) => id)).toEqual([...clientIds]);
    for (const { text } of connect) expect(text).toContain(keyed.url);
    expect(connect.find(({ id }) => id === 'claude')?.text).toContain('COTERIE_KEY');
    expect(JSON.stringify(connect)).not.toContain(key('ann'));
  });

  it('follow the address that the page was opened with', async () => {
    const url = open.url.replace('127.0.0.1', 'localhost');
    const { connect } = await describeHub(url);
    for (const { text } of connect) expect(text).toContain(new URL(url).host);
  });
});
