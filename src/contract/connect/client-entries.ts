// The entry for the hub in each client's configuration file: over HTTP, or a program on stdio. None contains a key: a client
// reads it from the environment or asks for it. Tried with real clients by `npm run clients`, but those of VS Code and Cursor.

/** Not expanded by the shell, but by the client when it starts: its configuration then holds no key. */
export const keyFromEnvironment = 'Bearer ${COTERIE_KEY}';

const headers = { Authorization: keyFromEnvironment };

interface Entries {
  readonly http: (url: string, hasKey: boolean) => object;
  readonly stdio: (command: string, args: readonly string[]) => object;
}

const plainStdio = (command: string, args: readonly string[]) => ({ command, args });

export const vscodeKeyInput = {
  type: 'promptString',
  id: 'coterie-key',
  description: 'Key for Coterie',
  password: true,
};

export const clientEntries = {
  claude: { http: (url, hasKey) => ({ type: 'http', url, ...(hasKey ? { headers } : {}) }), stdio: plainStdio },
  gemini: { http: (url, hasKey) => ({ type: 'http', url, ...(hasKey ? { headers } : {}) }), stdio: plainStdio },
  cursor: {
    http: (url, hasKey) => ({ url, ...(hasKey ? { headers: { Authorization: 'Bearer ${env:COTERIE_KEY}' } } : {}) }),
    stdio: plainStdio,
  },
  vscode: {
    http: (url, hasKey) => ({
      type: 'http',
      url,
      ...(hasKey ? { headers: { Authorization: `Bearer \${input:${vscodeKeyInput.id}}` } } : {}),
    }),
    stdio: (command, args) => ({ type: 'stdio', command, args }),
  },
  copilot: {
    http: (url, hasKey) => ({ type: 'http', url, ...(hasKey ? { headers } : {}), tools: ['*'] }),
    stdio: (command, args) => ({ type: 'local', command, args, tools: ['*'] }),
  },
  opencode: {
    http: (url, hasKey) => ({
      type: 'remote',
      url,
      // Without `oauth` a wrong key leads to a search for a login page.
      ...(hasKey ? { oauth: false, headers: { Authorization: 'Bearer {env:COTERIE_KEY}' } } : {}),
      enabled: true,
    }),
    stdio: (command, args) => ({ type: 'local', command: [command, ...args], enabled: true }),
  },
} as const satisfies Record<string, Entries>;
