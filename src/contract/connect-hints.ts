// Commands that connect a client, printed at start and shown on the landing page.

export interface ConnectHint {
  client: string;
  command: string;
}

export function connectHints(url: string): ConnectHint[] {
  const address = `${url}/mcp?agent=YOUR-NAME`;
  return [
    { client: 'Claude Code', command: `claude mcp add --transport http coterie "${address}"` },
    { client: 'Codex', command: `codex mcp add coterie --url "${address}"` },
    { client: 'Gemini CLI', command: `gemini mcp add --transport http coterie "${address}"` },
    {
      client: 'VS Code',
      command: `code --add-mcp '${JSON.stringify({ name: 'coterie', type: 'http', url: address })}'`,
    },
  ];
}
