// Makes docs/images from a real hub, a real Chromium and the scene in scripts/screenshots: `npm run screenshots`.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import { build } from './build.mjs';
import { alerts, chain, history, mail, migration, permission, person, refund } from './screenshots/scene.mjs';
import { playTeam } from './screenshots/team-scene.mjs';
import { root } from './tool.mjs';

const images = join(root, 'docs', 'images');
const cli = join(root, 'dist', 'cli', 'main.js');
const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 720 };

if ((await build()) !== 0) process.exit(1);
const folder = mkdtempSync(join(tmpdir(), 'coterie-pictures-'));
const data = join(folder, 'data');
const hub = spawn(process.execPath, [cli, 'serve', '--port', '0', '--data', data, '--person', person], {
  stdio: ['ignore', 'pipe', 'ignore'],
});
let browser;
let prompt;
try {
  const url = await readyUrl(hub);
  browser = await startBrowser();
  const page = await browser.newPage();
  await pair(page, url);
  const ids = await play(url);
  prompt = askPermission(url);
  mkdirSync(images, { recursive: true });
  await takeAll(page, url, ids);
} finally {
  await browser?.close();
  prompt?.kill('SIGKILL');
  hub.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function startBrowser() {
  const { status, stdout } = spawnSync(process.execPath, [join(root, 'scripts', 'chromium.mjs')], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error('no Chromium');
  return chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: stdout.trim(),
    args: ['--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars'],
    reducedMotion: 'reduce',
    locale: 'en-GB',
    permissions: ['notifications'],
  });
}

async function readyUrl(child) {
  for await (const line of createInterface({ input: child.stdout })) {
    const ready = /^coterie ready (\S+)$/.exec(line);
    if (ready) return ready[1];
  }
  throw new Error('the hub did not start');
}

/** As a person does: the command shows a link, the phone opens it. */
async function pair(page, url) {
  const pairing = spawn(process.execPath, [cli, 'pair', '--url', url], { stdio: ['ignore', 'pipe', 'inherit'] });
  let shown = '';
  const link = await new Promise((resolve, reject) => {
    pairing.stdout.on('data', (chunk) => {
      shown += chunk;
      const found = /http\S+\/app\/pair#\S+/.exec(shown);
      if (found) resolve(found[0]);
    });
    pairing.once('exit', (code) => reject(new Error(`coterie pair ended with ${code}: ${shown}`)));
  });
  await page.setViewportSize(phone);
  await page.goto(link);
  await page.getByRole('button', { name: /pair/i }).waitFor();
  await shoot(page, 'pairing-phone-light', { ...phone, theme: 'light' });
  await shoot(page, 'pairing-desktop-dark', { ...desktop, theme: 'dark' });
  await page.getByRole('button', { name: /pair/i }).click();
  await page.getByText('paired', { exact: false }).first().waitFor();
}

async function play(url) {
  const call = async (agent, operation, input) => {
    const response = await fetch(`${url}/v1/${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'coterie-agent': agent },
      body: JSON.stringify(input),
    });
    const body = await response.json();
    if (!response.ok) throw new Error(`${operation}: ${JSON.stringify(body)}`);
    return body;
  };
  for (const agent of ['ada', 'ben', 'cleo', 'dora', 'eli']) await call(agent, 'register_agent', {});
  for (const { agent, ask, answer, decline, cancel } of history) {
    const { questionId } = await call(agent, 'ask_question', ask);
    if (answer) await call(person, 'answer_question', { questionId, ...answer });
    if (decline) await call(person, 'decline_question', { questionId, ...decline });
    if (cancel) await call(agent, 'cancel_question', { questionId, ...cancel });
    // One that expires does so before the next is asked.
    if (ask.ttl) await call(agent, 'get_response', { questionId, waitMs: 5_000 });
  }
  for (const [agent, alertType, message] of alerts) await call(agent, 'send_alert', { alertType, message });
  for (const [agent, content] of mail) await call(agent, 'send_message', { to: person, content });
  let inReplyTo;
  for (const { question, options, ...answer } of chain) {
    const input = { question, options, projectId: 'checkout', ...(inReplyTo ? { inReplyTo } : {}) };
    inReplyTo = (await call('ada', 'ask_question', input)).questionId;
    await call(person, 'answer_question', { questionId: inReplyTo, ...answer });
  }
  await call('cleo', 'ask_question', refund);
  const { questionId } = await call('ada', 'ask_question', { ...migration, inReplyTo });
  return { questionId, threadId: await playTeam(call, person) };
}

/** Waits for the person, as the client's hook does. */
function askPermission(url) {
  const hook = spawn(process.execPath, [cli, 'hook', 'permission', '--url', url, '--as', 'ben'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  hook.stdin.end(JSON.stringify(permission));
  return hook;
}

async function takeAll(page, url, { questionId, threadId }) {
  const looks = {
    'phone-light': { ...phone, theme: 'light' },
    'phone-dark': { ...phone, theme: 'dark' },
    'desktop-light': { ...desktop, theme: 'light' },
    'desktop-dark': { ...desktop, theme: 'dark' },
  };
  await page.goto(url);
  const prompted = page.getByRole('link', { name: 'Read all and decide' });
  await prompted.waitFor();
  const permissionPath = await prompted.getAttribute('href');
  const places = [
    ['inbox', '/'],
    ['question', `/app/question/${questionId}`],
    ['permission', permissionPath],
    ['thread', `/app/thread/${threadId}`, 'text=read by'],
    ['overview', '/app/overview', 'main canvas', 'main svg line'],
  ];
  // What is loaded when it is shown.
  for (const [name, path, ...later] of places) {
    await page.goto(url + path);
    await page.getByRole('main').getByRole('heading').first().waitFor();
    await Promise.all(later.map((what) => page.locator(what).first().waitFor()));
    for (const [look, how] of Object.entries(looks)) await shoot(page, `${name}-${look}`, how);
  }
}

async function shoot(page, name, { theme, ...size }) {
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await page.evaluate('document.fonts.ready');
  await page.screenshot({ path: join(images, `${name}.png`) });
}
