// What an MCP client says of itself: in its handshake in the 2025 era, in every request in the 2026 era.

interface ClientInfo {
  name: string;
  title?: string;
}

export function clientInfoOf(body: unknown): ClientInfo | undefined {
  const params = fieldOf(body, 'params');
  const info = fieldOf(params, 'clientInfo') ?? fieldOf(fieldOf(params, '_meta'), clientInfoKey);
  const name = fieldOf(info, 'name');
  const title = fieldOf(info, 'title');
  if (typeof name !== 'string') return undefined;
  return typeof title === 'string' && title.trim() !== '' ? { name, title } : { name };
}

/** As people know it. */
export function clientTitleOf(body: unknown): string | undefined {
  const info = clientInfoOf(body);
  return info?.title ?? info?.name;
}

const clientInfoKey = 'io.modelcontextprotocol/clientInfo';

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
