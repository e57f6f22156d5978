// The commands that run, bridge and end a hub, as the others are described. They read the hub's settings themselves.
import { settings } from '../config/settings.js';
import type { Flag } from './arguments/flag.js';
import { asFlag, sessionFlag, urlFlag } from './arguments/hub-flags.js';
import type { Command, Description } from './command.js';

const valueNames: Readonly<Record<string, string>> = { data: 'DIR', database: 'URL' };

const settingFlags: readonly Flag[] = [
  ...settings.map(({ flag, env, help, fallback }): Flag => {
    const taken = flag === 'hints' ? {} : { value: valueNames[flag] ?? 'VALUE' };
    return { name: flag, help: `${help} (${fallback || 'none'})`, env, ...taken };
  }),
  {
    name: 'config',
    value: 'FILE',
    help: 'the same settings as JSON; flags win over environment over file',
    env: 'COTERIE_CONFIG',
  },
];

const bridgeFlags: readonly Flag[] = [
  { ...asFlag, name: 'agent', help: 'the name this agent acts under' },
  { ...sessionFlag, help: 'the session it belongs to' },
  { name: 'tools', value: 'LIST', help: 'which tools to show: all, or names with commas' },
  { ...urlFlag, help: 'a hub that runs; none is started then' },
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
      'Runs the hub until a signal or `coterie stop` ends it. Prints one line on stdout',
      'when it serves; logs go to stderr as JSON lines.',
    ],
    flags: settingFlags,
    examples: [
      { line: 'coterie serve', does: 'on port 4100, data in ./.coterie' },
      { line: 'coterie serve --port 0 --data ./team', does: 'a free port, another folder' },
      { line: 'coterie serve --database postgres://hub@db/coterie', does: 'several share one database' },
    ],
  },
  async (argv) => (await import('./serve.js')).runServe(argv),
);

export const mcp = hubCommand(
  {
    usage: '[options]',
    about: [
      'Speaks MCP on stdio for an agent beside this process. Connects to the hub of the',
      'data folder, and starts one in the background if none runs; with --database it',
      'needs --url.',
    ],
    flags: [...bridgeFlags, ...settingFlags],
    examples: [
      { line: 'coterie mcp --agent builder', does: 'in the client’s configuration' },
      { line: 'coterie mcp --agent builder --session team-b --tools all', does: 'with every tool' },
    ],
  },
  async (argv) => (await import('./mcp.js')).runMcp(argv),
);

export const stop = hubCommand(
  {
    usage: '[options]',
    about: [
      'Ends the hub of a data folder and waits until it is gone. A hub with --database',
      'has no folder to be found by; SIGTERM ends it as well.',
    ],
    flags: settingFlags.filter(({ name }) => ['data', 'config'].includes(name)),
    examples: [
      { line: 'coterie stop', does: 'the hub of ./.coterie' },
      { line: 'coterie stop --data ./team', does: 'that of another folder' },
    ],
  },
  async (argv) => (await import('./stop.js')).runStop(argv),
);
