// coterie completion: a script that completes commands, flags and their values.
import type { Flag } from './arguments/flag.js';
import { readArgs } from './arguments/read-args.js';
import { didYouMean, usage } from './arguments/usage.js';
import { commandList } from './command-list.js';
import type { Command, Description } from './command.js';
import { print } from './show/print.js';

interface CommandChoices {
  name: string;
  summary: string;
  flags: readonly Flag[];
  choices: readonly string[];
}

const helpFlag: Flag = { name: 'help', help: 'what the command does' };

const shells: Readonly<Record<string, (commands: readonly CommandChoices[]) => string>> = { bash, zsh, fish };

const description: Description = {
  usage: 'bash|zsh|fish',
  about: ['Prints a script that completes commands, flags and values with the tab key.'],
  flags: [],
  examples: [
    { line: 'source <(coterie completion bash)', does: 'in ~/.bashrc' },
    { line: 'source <(coterie completion zsh)', does: 'in ~/.zshrc, after compinit' },
    { line: 'coterie completion fish > ~/.config/fish/completions/coterie.fish', does: 'once' },
  ],
  choices: Object.keys(shells),
};

export const completion: Command = {
  describe: () => description,
  async run(argv) {
    const [shell = ''] = readArgs(argv, { command: 'completion', flags: [], positionals: ['shell'] }).positionals;
    const script = shells[shell];
    if (script === undefined) {
      const near = didYouMean(shell, Object.keys(shells), (name) => name);
      throw usage(
        shell === '' ? 'completion needs a shell.' : `The shell '${shell}' is not supported.`,
        `${near}Allowed: bash, zsh, fish.`,
      );
    }
    await print(script(await gather()));
    return 0;
  },
};

async function gather(): Promise<CommandChoices[]> {
  const names = commandList.map(({ name }) => name);
  return Promise.all(
    commandList.map(async ({ name, summary, load }) => {
      const command = await load();
      const { flags, verbs = [], choices = verbs } = command.describe([]);
      const all = [...flags, ...verbs.flatMap((verb) => command.describe([verb]).flags), helpFlag];
      return { name, summary, flags: uniqueByName(all).map(explained), choices: name === 'help' ? names : choices };
    }),
  );
}

function uniqueByName(flags: readonly Flag[]): Flag[] {
  return [...new Map(flags.map((flag) => [flag.name, flag])).values()];
}

/** Some fields have no description. */
const explained = (flag: Flag): Flag => (flag.help === '' ? { ...flag, help: `the field ${flag.field}` } : flag);

const flagNames = (flags: readonly Flag[]) => flags.map(({ name }) => `--${name}`).join(' ');

function bash(commands: readonly CommandChoices[]): string {
  const values = commands.flatMap(({ name, flags }) =>
    flags.flatMap((flag) =>
      flag.choices === undefined ? [] : [`    "${name} --${flag.name}") words="${flag.choices.join(' ')}" ;;`],
    ),
  );
  const perCommand = commands.map(
    ({ name, flags, choices }) => `    ${name}) words="${[flagNames(flags), ...choices].join(' ')}" ;;`,
  );
  return `# coterie completion for bash
_coterie() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')}" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]} $previous" in
${values.join('\n')}
    *" --data"|*" --attach"|*" --config") COMPREPLY=($(compgen -f -- "$current")); return ;;
    *) case "\${COMP_WORDS[1]}" in
${perCommand.map((line) => `  ${line}`).join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _coterie coterie
`;
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

const escapeZsh = (text: string) => text.replace(/[[\]:\\]/g, (character) => `\\${character}`);

function zshOption({ name, help, value, choices, isList }: Flag): string {
  const action =
    choices === undefined ? (value === 'DIR' || value === 'FILE' ? '_files' : '') : `(${choices.join(' ')})`;
  const argument = value === undefined ? '' : `:${escapeZsh(value)}:${action}`;
  return quoted(`${isList === true ? '*' : ''}--${name}[${escapeZsh(help)}]${argument}`);
}

function zsh(commands: readonly CommandChoices[]): string {
  const cases = commands.map(({ name, flags, choices }) => {
    const first = choices.length === 0 ? '' : ` ${quoted(`1:argument:(${choices.join(' ')})`)}`;
    return `    ${name}) _arguments ${flags.map(zshOption).join(' ')}${first} ;;`;
  });
  return `#compdef coterie
_coterie() {
  local -a commands=(
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary.replaceAll(':', '\\:')}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
compdef _coterie coterie
`;
}

function fish(commands: readonly CommandChoices[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  const lines = commands.flatMap(({ name, summary, flags, choices }) => {
    const inCommand = `complete -c coterie -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c coterie -f -n 'not __fish_seen_subcommand_from ${names}' -a ${name} -d ${fishQuoted(summary)}`,
      ...flags.map((flag) => {
        const isPath = flag.value === 'DIR' || flag.value === 'FILE';
        const allowed = flag.choices === undefined ? '' : ` -a ${fishQuoted(flag.choices.join(' '))}`;
        const argument = flag.value === undefined ? '' : isPath ? ' -r' : ' -x';
        return `${inCommand} -l ${flag.name}${argument}${allowed} -d ${fishQuoted(flag.help)}`;
      }),
      ...(choices.length === 0 ? [] : [`${inCommand} -f -a ${fishQuoted(choices.join(' '))}`]),
    ];
  });
  return `# coterie completion for fish\n${lines.join('\n')}\n`;
}

function fishQuoted(text: string): string {
  return `'${text.replace(/['\\]/g, (character) => `\\${character}`)}'`;
}
