// Runs Claude Code on a terminal of its own, with `coterie hook permission` in its settings and a paired device that answers:
// `node permission.mjs FOLDER COMMAND…`. Prints what happened, as JSON. The network must have nothing but loopback.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../tool.mjs';
import { clients } from './client-list.mjs';
import { pairDevice } from './device.mjs';
import { startHub } from './hub.mjs';
import { startModel } from './model-server.mjs';
import { openTerminal, until } from './terminal.mjs';

const [folder, ...command] = process.argv.slice(2);
const main = join(root, 'dist', 'cli', 'main.js');
const client = clients.claude;

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const hub = await startHub(join(folder, 'data'));
const seen = {};
seen.allow = await round('allow', (device, question) => device.answer(question, { option: 1, response: 'Allow' }));
seen.deny = await round('deny', (device, question) =>
  device.answer(question, { option: 2, response: 'Use the mirror.' }),
);
seen.session = await round('session', (device, question) =>
  device.answer(question, { option: 3, response: 'Allow for this session' }),
);
seen.noAnswer = await round('no-answer', async () => {}, { timeout: '4s' });
seen.localYes = await round('local-yes', (_, __, keys) => keys('1'));
seen.localNo = await round('local-no', (_, __, keys) => keys('Escape'));
console.log(JSON.stringify(seen, null, 2));
process.exit(0);

/** One prompt, in a home of its own. */
async function round(title, act, { timeout = '60s' } = {}) {
  const home = join(folder, title);
  const work = join(home, 'work');
  mkdirSync(join(home, '.claude'), { recursive: true });
  mkdirSync(work);
  const device = await pairDevice(hub.url, join(home, '.local', 'share', 'coterie'));
  const shown = [];
  async function* script() {
    for (let times = 0; times < 2; times += 1) {
      shown.push(yield { call: 'Bash', input: { command: 'touch made', description: 'Make a file' } });
      if (title !== 'session') return;
    }
  }
  const log = join(home, 'model.jsonl');
  const model = await startModel({
    api: client.api,
    script: script(),
    say: ({ call, input }) => ({ name: call, input }),
    log,
  });
  const hook = `${process.execPath} ${main} hook permission --url ${hub.url} --timeout ${timeout} 2>> ${join(home, 'hook.log')}`;
  const settings = {
    hooks: { PermissionRequest: [{ matcher: '*', hooks: [{ type: 'command', command: hook, timeout: 600 }] }] },
  };
  writeFileSync(join(home, '.claude', 'settings.json'), JSON.stringify(settings));
  const project = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true, allowedTools: [] };
  const known = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: ['test'], rejected: [] },
  };
  writeFileSync(join(home, '.claude.json'), JSON.stringify({ ...known, projects: { [work]: project } }));

  const terminal = openTerminal(`${title}-${process.pid}`, work, { HOME: home, ...client.env(model.url) }, [
    ...command,
    '--permission-mode',
    'default',
    'go',
  ]);
  try {
    const question = await until('the prompt', () => device.prompt());
    await until('its own prompt', () => terminal.screen().includes('Do you want to proceed?'));
    await act(device, question, terminal.keys);
    const status = await until('the end', async () => {
      const now = await device.statusOf(question.id);
      return now === 'pending' ? undefined : now;
    });
    await until('the model or the prompt', () => shown.length > 0 || ['no-answer', 'local-no'].includes(title));
    if (title === 'session') await until('the second call', () => shown.length > 1);
    return {
      question: status,
      made: existsSync(join(work, 'made')),
      toModel: shown.map((parts) =>
        (parts ?? [])
          .map(({ text = '' }) => text)
          .join(' ')
          .slice(0, 160),
      ),
      ownPrompt: terminal.screen().includes('Do you want to proceed?'),
      hook: existsSync(join(home, 'hook.log')) ? readFileSync(join(home, 'hook.log'), 'utf8').trim() : '',
    };
  } catch (error) {
    return { failed: error.message, screen: terminal.screen() };
  } finally {
    terminal.close();
  }
}
