// The `console` blocks of a page: each command with what it prints.

export interface ConsoleExample {
  args: string[];
  stdin: string;
  printed: string;
}

/** The examples under a heading; the first words of a line may feed a pipe. */
export function consoleExamples(page: string, section: string): ConsoleExample[] {
  const text = page.split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? '';
  const blocks = [...text.matchAll(/^```console\n([^]*?)^```/gm)].map(([, block = '']) => block);
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((example) => {
        const [line = '', ...printed] = example.split('\n');
        const [, piped = '', command = ''] = /^(?:printf '([^']*)' \| )?(?:npx )?coterie (.*)$/.exec(line) ?? [];
        return { args: wordsOf(command), stdin: piped.replaceAll(String.raw`\n`, '\n'), printed: printed.join('\n') };
      }),
  );
}

function wordsOf(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );
}

const changing =
  /\bt\d{12}\b|\b[qa]-\d{12}\b|\b127\.0\.0\.1:\d+|\bm[a-k]\d+[0-9a-z]{3}\b|\b\d\d:\d\d:\d\d\b|\b\d{13}\b|\b\d+s\b/g;

/** Without ids and times, and with lines joined where a terminal or a page wraps them. */
export function comparable(text: string): string {
  return text.replace(changing, '#').replace(/\s+/g, ' ').trim();
}
