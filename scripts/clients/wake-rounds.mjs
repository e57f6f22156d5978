// How each client comes to be idle with a way to be woken, by what its own documentation says.
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { claudePlugin } from './client-list.mjs';

const tools = 'mcp__coterie__*';
/** After it a tool call of Claude Code goes on in the background; 120 s if it is not set. */
const backgroundMs = '3000';
const opencodePort = '4096';
const codexExec = ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];

const turnEnd = (stage, timeout = 15) => ({ hooks: [{ type: 'command', command: stage.turnEndLine(), timeout }] });

export const wakeRounds = {
  claude: {
    'claude-hook': async (stage) => {
      const hook = { type: 'command', command: stage.companionLine('hook'), asyncRewake: true, timeout: 86_400 };
      stage.write('.claude/settings.json', { hooks: { SessionStart: [{ hooks: [hook] }], Stop: [{ hooks: [hook] }] } });
      await openClaude(stage, []);
      await stage.routeIsLive();
    },

    'claude-monitor': async (stage) => {
      stage.write('plugin/.claude-plugin/plugin.json', {
        name: 'coterie-wake',
        version: '0.1.0',
        description: 'Wakes.',
      });
      stage.write('plugin/monitors/monitors.json', [
        { name: 'coterie', command: stage.companionLine('lines'), description: 'Mail on Coterie' },
      ]);
      await openClaude(stage, ['--plugin-dir', join(stage.home, 'plugin')]);
      await stage.routeIsLive();
    },

    'the plugin of init': async (stage) => {
      answerFirstQuestions(stage);
      stage.init(claudePlugin);
      stage.openTerminal(['--allowedTools', claudePlugin.tools, '--', 'go']);
      await stage.firstTurnEnds();
      await stage.routeIsLive();
    },

    'a parked wait': async (stage) => {
      stage.setFirstStep({ call: 'wait_for_mentions', input: { timeoutMs: 600_000 } });
      await openClaude(stage, [], { CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS: backgroundMs });
      await stage.until('the wait in the background', () => stage.seen.requests >= 2);
    },

    command: async (stage) => {
      const session = randomUUID();
      await prepareClaude(stage);
      await stage.runClient(['-p', 'go', '--session-id', session, '--allowedTools', tools]);
      const claude = [...stage.command, '-p', '{prompt}', '--resume', '{session}', '--allowedTools', tools];
      stage.startCompanion(['run', '--client-session', session, '--', ...claude]);
      await stage.routeIsLive();
    },

    'inbox --hook': async (stage) => {
      stage.write('.claude/settings.json', { hooks: { Stop: [turnEnd(stage)] } });
      await prepareClaude(stage);
      await stage.sendBefore();
      await stage.runClient(['-p', 'go', '--allowedTools', tools]);
    },
  },

  codex: {
    'codex-queue': async (stage) => {
      await stage.connect();
      const terminal = stage.openTerminal(['--dangerously-bypass-approvals-and-sandbox', 'go']);
      await passDialogs(stage, terminal);
      await stage.firstTurnEnds();
      stage.startCompanion(['codex', '--program', stage.command[0], '--thread', await codexThread(stage)]);
      await stage.routeIsLive();
    },

    'codex-app-server': async (stage) => {
      await stage.connect();
      await stage.runClient([...codexExec, 'go']);
      const thread = await codexThread(stage);
      stage.startCompanion(['codex', '--app-server', '--program', stage.command[0], '--thread', thread]);
      await stage.routeIsLive();
    },

    'inbox --hook': async (stage) => {
      stage.write('.codex/hooks.json', { hooks: { Stop: [turnEnd(stage)] } });
      await stage.connect();
      await stage.sendBefore();
      // Nobody is there to say that the hook is trusted.
      await stage.runClient([...codexExec, '--dangerously-bypass-hook-trust', 'go']);
    },
  },

  opencode: {
    opencode: async (stage) => {
      await stage.connect();
      stage.startClient(['serve', '--port', opencodePort, '--hostname', '127.0.0.1']);
      const server = `http://127.0.0.1:${opencodePort}`;
      const post = async (path, body) => {
        const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
        return (await fetch(`${server}${path}`, { ...request, signal: AbortSignal.timeout(20_000) })).json();
      };
      const { id } = await stage.until('opencode serve', () => post('/session', {}).catch(() => undefined));
      await post(`/session/${id}/message`, { parts: [{ type: 'text', text: 'go' }] });
      stage.startCompanion(['opencode', '--server', server, '--client-session', id]);
      await stage.routeIsLive();
    },
  },

  gemini: {
    'inbox --hook': async (stage) => {
      await stage.connect();
      // Its time-outs are in milliseconds.
      stage.write('.gemini/settings.json', { hooks: { AfterAgent: [{ matcher: '*', ...turnEnd(stage, 15_000) }] } });
      await stage.sendBefore();
      await stage.runClient(['--yolo', '-p', 'go']);
    },
  },
};

async function prepareClaude(stage) {
  answerFirstQuestions(stage);
  await stage.connect();
}

/** Those that Claude Code has when it first runs, and in a new folder. */
function answerFirstQuestions(stage) {
  const project = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true, allowedTools: [] };
  stage.write('.claude.json', {
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: ['test'], rejected: [] },
    projects: { [stage.work]: project },
  });
}

async function openClaude(stage, args, env) {
  await prepareClaude(stage);
  stage.openTerminal(['--allowedTools', tools, ...args, '--', 'go'], env);
  await stage.firstTurnEnds();
}

/** Codex asks whether it may work in the folder. */
async function passDialogs(stage, terminal) {
  await stage.until('the first request', () => {
    if (stage.seen.requests >= 1) return true;
    if (/trust|allow Codex|continue/i.test(terminal.screen())) terminal.keys('Enter');
    return false;
  });
}

/** The newest one of this home. */
function codexThread(stage) {
  return stage.until('the file of the thread', () => {
    const files = readdirSync(join(stage.home, '.codex', 'sessions'), { recursive: true, encoding: 'utf8' });
    return files.map((file) => /rollout-.*?([0-9a-f]{8}-[0-9a-f-]{27})\.jsonl$/.exec(file)?.[1]).find(Boolean);
  });
}
