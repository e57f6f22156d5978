// The fixture prompts, by name, and completion of their arguments.
import {
  type CompleteResult,
  type ContentBlock,
  type GetPromptResult,
  type InputRequiredResult,
  type Prompt,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { ask, writtenIn } from './ask.js';
import { promptContext } from './questions.js';
import { pngBase64 } from './samples.js';

interface FixturePrompt {
  prompt: Prompt;
  get(
    input: Record<string, string>,
    request: ServerContext['mcpReq'],
  ): GetPromptResult | Promise<GetPromptResult | InputRequiredResult>;
}

function say(...contents: ContentBlock[]): GetPromptResult {
  return { messages: contents.map((content) => ({ role: 'user', content })) };
}

const text = (words: string): ContentBlock => ({ type: 'text', text: words });
const needs = (...names: string[]) => names.map((name) => ({ name, required: true }));

const table: readonly FixturePrompt[] = [
  {
    prompt: { name: 'test_simple_prompt', description: 'Says one thing.' },
    get: () => say(text('This is a simple prompt for testing.')),
  },
  {
    prompt: {
      name: 'test_prompt_with_arguments',
      description: 'Repeats its arguments.',
      arguments: needs('arg1', 'arg2'),
    },
    get: ({ arg1 = '', arg2 = '' }) => say(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  },
  {
    prompt: {
      name: 'test_prompt_with_embedded_resource',
      description: 'Embeds a resource.',
      arguments: needs('resourceUri'),
    },
    get: ({ resourceUri: uri = '' }) =>
      say(
        {
          type: 'resource',
          resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        },
        text('Please process the embedded resource above.'),
      ),
  },
  {
    prompt: { name: 'test_prompt_with_image', description: 'Shows an image.' },
    get: () => say({ type: 'image', data: pngBase64, mimeType: 'image/png' }, text('Please analyze the image above.')),
  },
  {
    prompt: { name: 'test_input_required_result_prompt', description: 'Asks for a context first.' },
    async get(_input, request) {
      const open = await ask({ rounds: [{ user_context: promptContext }] }, request);
      return open ?? say(text(`Use this context: ${writtenIn(request, 'user_context', 'context')}`));
    },
  },
];

export const prompts: ReadonlyMap<string, FixturePrompt> = new Map(
  table.map((fixture) => [fixture.prompt.name, fixture]),
);

export function completePrompt(begun: string): CompleteResult {
  const values = ['paris', 'park', 'party'].filter((word) => word.startsWith(begun));
  return { completion: { values, total: values.length, hasMore: false } };
}
