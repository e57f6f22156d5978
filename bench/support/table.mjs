// Figures as a Markdown table, with what they were measured on.
import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';

export function printTable(header, rows) {
  const cells = [header, header.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
  console.log(`${cells.join('\n')}\n\n${machine()}`);
}

function machine() {
  const processor = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${processor.length} × ${processor[0]?.model.trim()}, ${memory} GiB, Node ${process.versions.node}, commit ${commit()}, ${new Date().toISOString().slice(0, 10)}`;
}

function commit() {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}
