// Descriptions of the commands that run, bridge and stop a hub. They parse the hub's settings themselves.
import { settings } from '../config/settings.js';
import type { Flag } from './arguments/flag.js';
import { asFlag, configFlag, sessionFlag, urlFlag } from './arguments/hub-flags.js';
import { keyFileFlag } from './arguments/key-choice.js';
import type { Command, Description } from './command.js';

const valueNames: Readonly<Record<string, string>> = { data: 'DIR', database: 'URL' };

const defaultTexts: Readonly<Record<string, string>> = { data: './.coterie if there is one, else your own' };

const settingFlags: readonly Flag[] = [
  ...settings.map(({ flag, env, help, fallback, isSwitch }): Flag => {
    const argument = isSwitch ? {} : { value: valueNames[flag] ?? 'VALUE' };
    return { name: flag, help: `${help} (${defaultTexts[flag] ?? (fallback || 'none')})`, env, ...argument };
  }),
  { ...configFlag, help: 'the same settings as JSON; flags override environment, which overrides the file' },
];

const bridgeFlags: readonly Flag[] = [
  { ...asFlag, name: 'agent', help: 'this agent’s name; auto makes one of folder and client' },
  { ...sessionFlag, help: 'the agent’s session' },
  { name: 'tools', value: 'LIST', help: 'tools to list: all, or comma-separated names' },
  { name: 'results', value: 'FORM', help: 'text, or both: text and structured results (by client)' },
  { ...urlFlag, help: 'a running hub; none is started then' },
  keyFileFlag,
  { name: 'files', value: 'DIR', help: 'folder whose images, audio and video may be sent (.)' },
];

function hubCommand(description: Description, run: (argv: readonly string[]) => Promise<void>): Command {
  return {
    describe: () => description,
    async run(argv) {
      await run(argv);
      return 0;
    },
  };
}

export const serve = hubCommand(
  {
    usage: '[options]',
    about: [
      'Runs the hub until a signal or `coterie stop` stops it. Prints one line on',
      'stdout when it is ready; logs go to stderr as JSON lines.',
    ],
    flags: settingFlags,
    examples: [
      { line: 'coterie serve', does: 'your own hub, on port 4100' },
      { line: 'coterie serve --port 0 --data ./team', does: 'a free port, another folder' },
      { line: 'coterie serve --database postgres://hub@db/coterie', does: 'several hubs can share it' },
    ],
  },
  async (argv) => (await import('./serve.js')).runServe(argv),
);

export const mcp = hubCommand(
  {
    usage: '[options]',
    about: [
      'An MCP server on stdio for one agent. Connects to the hub that `coterie where`',
      'names, and starts it in the background if none runs. With --database it needs',
      '--url.',
    ],
    flags: [...bridgeFlags, ...settingFlags],
    examples: [
      { line: 'coterie mcp --agent builder', does: 'in the client’s configuration' },
      { line: 'coterie mcp --agent auto', does: 'for all projects: each gets a name of its own' },
      { line: 'coterie mcp --agent builder --session team-b --tools all', does: 'with every tool' },
    ],
  },
  async (argv) => (await import('./mcp.js')).runMcp(argv),
);

export const stop = hubCommand(
  {
    usage: '[options]',
    about: [
      'Stops the hub of a data folder and waits until it has ended. A hub with',
      '--database has no folder; stop it with SIGTERM. The next call of an agent on',
      'stdio starts it again.',
    ],
    flags: settingFlags.filter(({ name }) => ['data', 'config'].includes(name)),
    examples: [
      { line: 'coterie stop', does: 'the hub that coterie where names' },
      { line: 'coterie stop --data ./team', does: 'the hub of another folder' },
    ],
  },
  async (argv) => (await import('./stop.js')).runStop(argv),
);
