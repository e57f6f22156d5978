// A full-screen view on the terminal's alternate screen, redrawn repeatedly.

const enter = '\u001b[?1049h\u001b[?25l';
const leave = '\u001b[?25h\u001b[?1049l';
const home = '\u001b[H';
const clearLine = '\u001b[K';
const clearBelow = '\u001b[J';

export interface LiveScreen {
  /** Aborts when the user quits: q, Escape or Ctrl-C. */
  readonly ended: AbortSignal;
  draw(lines: readonly string[]): void;
  close(): void;
}

export function openLiveScreen(): LiveScreen {
  const end = new AbortController();
  const stop = () => end.abort();
  const onKey = (key: Buffer) => {
    const typed = key.toString();
    // In raw mode Ctrl-C and Ctrl-D are ordinary keys. Escape only counts alone, because arrow keys send it as a prefix.
    if (typed === '\u001b' || ['q', 'Q', '\u0003', '\u0004'].some((last) => typed.includes(last))) stop();
  };
  const { stdin, stdout } = process;
  stdout.write(enter);
  if (stdin.isTTY) {
    stdin.setRawMode(true);
    stdin.on('data', onKey);
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  return {
    ended: end.signal,
    draw(lines) {
      const shown = lines.slice(0, Math.max(1, stdout.rows));
      stdout.write(`${home}${shown.map((line) => `${line}${clearLine}`).join('\n')}${clearBelow}`);
    },
    close() {
      if (stdin.isTTY) {
        stdin.setRawMode(false);
        stdin.off('data', onKey);
        stdin.pause();
      }
      stdout.write(leave);
    },
  };
}
