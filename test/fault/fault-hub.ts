// A hub of a fault run: always the same store and the same port, killed and started again as often as is wished.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const hubScript = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
/** Much: on a machine that others use as well a start has taken 20 s. */
const readyMsMax = 60_000;

export interface FaultHubOptions {
  /** The flags that name its store. */
  store: readonly string[];
  /** A file for what the hub says about itself. */
  log: string;
  port: number;
  manualLeaseMs: number;
  /** Another program that takes the same flags, for canaries. */
  script?: string;
}

export class FaultHub {
  readonly url: string;
  readonly #options: FaultHubOptions;
  #child: ChildProcess | undefined;
  readonly #ownEnds: string[] = [];

  constructor(options: FaultHubOptions) {
    this.#options = options;
    this.url = `http://127.0.0.1:${options.port}`;
  }

  /** Returns at once; a kill may come before it is ready. */
  begin(script = this.#options.script ?? hubScript): ChildProcess {
    const { store, port, manualLeaseMs } = this.#options;
    const flags = ['--port', String(port), ...store, '--manual-lease-ms', String(manualLeaseMs)];
    const log = openSync(this.#options.log, 'a');
    const child = spawn(process.execPath, [script, 'serve', ...flags], { stdio: ['ignore', 'pipe', log] });
    closeSync(log);
    // A test that is cut off by its time limit never comes to its end, and the hub must not outlive it.
    const takeAlong = () => child.kill('SIGKILL');
    process.once('exit', takeAlong);
    child.once('exit', () => process.off('exit', takeAlong));
    this.#child = child;
    return child;
  }

  /** The script of another release, if it is to be that. */
  async start(script?: string): Promise<void> {
    const child = this.begin(script);
    await new Promise<void>((resolve, reject) => {
      const refuse = (what: string) => reject(new Error(`the hub ${what}: ${this.#readLog().slice(-2_000)}`));
      const overdue = setTimeout(() => refuse('is not ready'), readyMsMax);
      const gone = (code: number | null) => {
        clearTimeout(overdue);
        refuse(`ended with ${code} before it was ready`);
      };
      child.once('exit', gone);
      child.stdout?.on('data', (chunk: Buffer) => {
        if (!chunk.toString().includes('coterie ready')) return;
        clearTimeout(overdue);
        child.off('exit', gone);
        child.once('exit', (code, signal) => {
          if (this.#child === child) this.#ownEnds.push(`the hub ended by itself with ${code ?? signal}`);
        });
        resolve();
      });
    });
  }

  /** Answers its exit code, if it had one. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
    return child.exitCode;
  }

  /** Stops it without its noticing, or lets it go on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child?.kill(signal);
  }

  /** What the hub itself takes for a bug, or could not do. */
  complaints(): string[] {
    const lines = this.#readLog().split('\n');
    return [...this.#ownEnds, ...lines.filter((line) => /"level":"(error|warn)"/.test(line))];
  }

  #readLog(): string {
    return existsSync(this.#options.log) ? readFileSync(this.#options.log, 'utf8') : '';
  }
}
