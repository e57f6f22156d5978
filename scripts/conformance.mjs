// Runs the official MCP conformance suite against a hub that has the fixtures it calls, one protocol revision after
// the other: `node scripts/conformance.mjs [revision …]`. `--built` trusts dist as it is; `--without-fixtures` is the
// canary, which must fail.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from './build.mjs';
import { installAside, newerNode } from './install-aside.mjs';
import { install } from './install.mjs';
import { requireNode } from './require-node.mjs';
import { root } from './tool.mjs';

const suite = { name: '@modelcontextprotocol/conformance', version: '0.2.0-alpha.12', nodeMajorMin: 22 };
const allRevisions = ['2026-07-28', '2025-11-25'];

requireNode();
const args = process.argv.slice(2);
const revisions = args.filter((arg) => !arg.startsWith('--'));
const buildExitCode = args.includes('--built') ? 0 : install() || (await build());
if (buildExitCode !== 0) process.exit(buildExitCode);

// What runs on exit would not run after a signal.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const scratch = mkdtempSync(join(tmpdir(), 'coterie-conformance-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
const tools = installSuite();
const hub = await startHub(!args.includes('--without-fixtures'));
for (const revision of revisions.length === 0 ? allRevisions : revisions) {
  if (!(await runRevision(revision))) process.exitCode = 1;
}
await hub.stop();

/** The suite needs a newer Node than the hub. Both stay out of package.json. */
function installSuite() {
  const needsNode = Number(process.versions.node.split('.')[0]) < suite.nodeMajorMin;
  const version = `${suite.version}${needsNode ? `-node-${newerNode.version}` : ''}`;
  const folder = join(root, '.cache', 'conformance', version);
  const exitCode = installAside(folder, needsNode ? [suite, newerNode] : [suite], ['--ignore-scripts']);
  if (exitCode !== 0) process.exit(exitCode);
  const modules = join(folder, 'node_modules');
  return {
    node: needsNode ? join(modules, newerNode.name, newerNode.bin) : process.execPath,
    suite: join(modules, suite.name, 'dist', 'index.js'),
  };
}

async function startHub(hasFixtures) {
  // Settings of the person who runs this are not the suite's business.
  const clean = Object.entries(process.env).filter(([name]) => !name.startsWith('COTERIE_'));
  const env = { ...Object.fromEntries(clean), COTERIE_CONFORMANCE: hasFixtures ? '1' : '0' };
  const data = join(scratch, 'data');
  const serve = [join(root, 'dist', 'cli', 'main.js'), 'serve', '--port', '0', '--data', data];
  const child = spawn(process.execPath, serve, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  process.on('exit', () => child.kill('SIGKILL'));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let log = '';
  child.stderr.on('data', (chunk) => (log += chunk));
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^coterie ready (\S+)$/.exec(line)?.[1];
    if (url === undefined) continue;
    const stop = async () => {
      child.kill('SIGTERM');
      await ended;
    };
    return { url, stop };
  }
  throw new Error(`The hub ended with ${await ended} before it was ready:\n${log}`);
}

/** Answers whether the revision passed. The suite's exit code decides; its words only explain. */
async function runRevision(revision) {
  const results = join(scratch, revision);
  const started = performance.now();
  const options = ['server', '--url', `${hub.url}/mcp`, '--requirements', revision, '-o', results];
  const child = spawn(tools.node, [tools.suite, ...options], { cwd: scratch, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const suiteExitCode = await new Promise((resolve) => child.once('close', resolve));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);

  const { scored, unscored } = readSummary(output);
  // A suite that ran nothing has shown nothing.
  const hasPassed = suiteExitCode === 0 && scored.length > 0;
  const failing = scored.filter(({ failed }) => failed > 0);
  const checks = scored.reduce((sum, { passed }) => sum + passed, 0);
  console.log(
    `MCP ${revision}: ${hasPassed ? 'passed' : 'FAILED'}, exit code ${suiteExitCode}, ` +
      `${scored.length - failing.length} of ${scored.length} scenarios, ${checks} checks, ${seconds} s` +
      (unscored.length === 0 ? '' : `; not scored: ${describeUnscored(unscored)}`),
  );
  if (hasPassed) return true;
  for (const { name } of failing) console.log(`  ${name}\n${readFailures(results, name)}`);
  if (failing.length === 0) console.log(output.slice(-4000));
  return false;
}

/** Scenarios and their checks from the suite's summary; unscored ones fail without consequence. */
function readSummary(output) {
  const summary = output.slice(output.lastIndexOf('=== SUMMARY ==='));
  const unscored = [...summary.matchAll(/^ {2}([✓✗]) (\S+) \((.+)\)$/gm)].map(([, mark, name, reason]) => ({
    name,
    reason,
    hasPassed: mark === '✓',
  }));
  const unscoredNames = new Set(unscored.map(({ name }) => name));
  const scored = [...summary.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm)]
    .map(([, name, passed, failed]) => ({ name, passed: Number(passed), failed: Number(failed) }))
    .filter(({ name }) => !unscoredNames.has(name));
  return { scored, unscored };
}

function describeUnscored(unscored) {
  const reasons = [...new Set(unscored.map(({ reason }) => reason))];
  return reasons
    .map((reason) => {
      const group = unscored.filter((scenario) => scenario.reason === reason);
      return `${group.filter(({ hasPassed }) => hasPassed).length} of ${group.length} ${reason}`;
    })
    .join(', ');
}

function readFailures(results, scenario) {
  // Each scenario has its folder: server-<scenario>-<time>.
  const folder = readdirSync(results).find((name) => /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(name)?.[1] === scenario);
  if (folder === undefined) return '    (no checks were written)';
  return JSON.parse(readFileSync(join(results, folder, 'checks.json'), 'utf8'))
    .filter(({ status }) => status === 'FAILURE')
    .map(({ id, errorMessage }) => `    ${id}: ${errorMessage ?? ''}`)
    .join('\n');
}
