// A client on a terminal of its own, in tmux, and waiting for what it does.
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const withinMsDefault = 40_000;

export function openTerminal(name, cwd, env, args) {
  const tmux = (...given) =>
    execFileSync('tmux', ['-L', name, ...given], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const set = Object.entries({ TERM: 'xterm-256color', PATH: process.env.PATH, ...env }).map(
    ([key, value]) => `${key}=${value}`,
  );
  tmux('new-session', '-d', '-x', '120', '-y', '50', '-c', cwd, 'env', '-i', ...set, ...args);
  return {
    screen() {
      try {
        return tmux('capture-pane', '-p');
      } catch {
        return '';
      }
    },
    keys: (key) => tmux('send-keys', key),
    close() {
      try {
        tmux('kill-server');
      } catch {
        // It has ended by itself.
      }
    },
  };
}

export async function until(what, look, withinMs = withinMsDefault) {
  const end = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > end) throw new Error(`no sign of ${what}`);
    await sleep(200);
  }
}
