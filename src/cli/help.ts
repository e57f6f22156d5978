// What `coterie --help` prints: commands, settings, examples.
import { settings } from '../config.js';

const commandHelp = {
  serve: 'run the hub',
  mcp: 'speak MCP on stdio for an agent beside this process; starts a hub if none runs',
  stop: 'end the hub of a data folder',
} as const;

export function helpText(command: string): string {
  const usage = command in commandHelp ? `coterie ${command} [options]` : 'coterie <command> [options]';
  const commands = Object.entries(commandHelp).map(([name, help]) => `  ${name.padEnd(8)}${help}`);
  const options = settings.map(({ flag, env, help, fallback }) => {
    return `  --${flag.padEnd(18)}${help} (${fallback}; ${env})`;
  });
  return [
    `Usage: ${usage}`,
    '',
    'Commands:',
    ...commands,
    '',
    'Options (default; environment variable):',
    ...options,
    `  --${'config FILE'.padEnd(18)}the same settings as JSON; flags win over environment over file`,
    '',
    'mcp only:',
    `  --${'agent NAME'.padEnd(18)}the name this agent acts under (COTERIE_AGENT)`,
    `  --${'session NAME'.padEnd(18)}the session it belongs to (COTERIE_SESSION)`,
    `  --${'tools LIST'.padEnd(18)}which tools to show: all, or names with commas`,
    '',
    'Examples:',
    '  coterie serve --port 4100 --data ./.coterie',
    '  coterie mcp --agent builder',
    '  coterie stop',
    '',
  ].join('\n');
}
