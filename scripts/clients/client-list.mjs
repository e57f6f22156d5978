// How each client is installed and run, by what its own documentation says, with a model of ours. How it is connected is what
// `coterie connect` prints.
import { anthropic } from './models/anthropic.mjs';
import { gemini } from './models/gemini.mjs';
import { openaiChat } from './models/openai-chat.mjs';
import { openaiResponses } from './models/openai-responses.mjs';

/**
 * `files` go into the client's home, which is its working folder too; `run` and `status` are its command lines, `status` shows
 * a person the servers that it knows. `say` is its name for one of our tools.
 */
export const clients = {
  claude: {
    title: 'Claude Code',
    package: { name: '@anthropic-ai/claude-code', version: '2.1.325' },
    api: anthropic,
    say: ({ call, input }) => ({ name: `mcp__coterie__${call}`, input }),
    env: (model) => ({
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: 'test',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
    run: ['-p', 'go', '--allowedTools', 'mcp__coterie__*'],
    status: ['mcp', 'list'],
  },

  codex: {
    title: 'Codex',
    package: { name: '@openai/codex', version: '0.166.0' },
    api: openaiResponses,
    say: ({ call, input }) => ({ name: call, input, place: { namespace: 'mcp__coterie' } }),
    env: () => ({ SCRIPTED_KEY: 'test' }),
    files: (model) => ({
      '.codex/config.toml': [
        'model = "scripted"',
        'model_provider = "scripted"',
        '[model_providers.scripted]',
        'name = "scripted"',
        `base_url = "${model}/v1"`,
        'wire_api = "responses"',
        'env_key = "SCRIPTED_KEY"',
        'supports_websockets = false',
        '',
      ].join('\n'),
    }),
    run: ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', 'go'],
    status: ['mcp', 'list'],
  },

  opencode: {
    title: 'OpenCode',
    package: { name: 'opencode-ai', version: '1.18.33' },
    api: openaiChat,
    say: ({ call, input }) => ({ name: `coterie_${call}`, input }),
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1' }),
    files: (model) => ({
      'opencode.json': JSON.stringify({
        model: 'scripted/scripted',
        small_model: 'scripted/scripted',
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${model}/v1`, apiKey: 'test' },
            models: { scripted: { attachment: true, modalities: { input: ['text', 'image'], output: ['text'] } } },
          },
        },
      }),
    }),
    run: ['run', 'go'],
    status: ['mcp', 'list'],
  },

  gemini: {
    title: 'Gemini CLI',
    package: { name: '@google/gemini-cli', version: '0.61.0' },
    needsNewerNode: true,
    api: gemini,
    say: ({ call, input }) => ({ name: `mcp_coterie_${call}`, input }),
    env: (model) => ({ GOOGLE_GEMINI_BASE_URL: model, GEMINI_API_KEY: 'test', GEMINI_CLI_TRUST_WORKSPACE: 'true' }),
    files: () => ({
      '.gemini/settings.json': JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } }),
    }),
    run: ['--yolo', '-p', 'go'],
    status: ['mcp', 'list'],
  },

  copilot: {
    title: 'Copilot CLI',
    package: { name: '@github/copilot', version: '1.0.102' },
    api: openaiChat,
    say: ({ call, input }) => ({ name: `coterie-${call}`, input }),
    env: (model) => ({
      COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
      COPILOT_PROVIDER_API_KEY: 'test',
      COPILOT_MODEL: 'scripted',
      COPILOT_OFFLINE: 'true',
    }),
    run: ['-p', 'go', '--allow-all-tools'],
    status: ['mcp', 'list'],
  },
};

/** What `coterie init` writes for Claude Code is a plugin, whose tools have longer names there. */
const pluginPrefix = 'mcp__plugin_coterie_coterie__';
export const claudePlugin = {
  tools: `${pluginPrefix}*`,
  say: ({ call, input }) => ({ name: `${pluginPrefix}${call}`, input }),
};
