// The fixture prompts, by name, and completion of their arguments.
import {
  type CompleteResult,
  type ContentBlock,
  type GetPromptResult,
  type InputRequiredResult,
  type Prompt,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { ask, formValue } from './ask.js';
import { promptContext } from './questions.js';
import { pngBase64 } from './samples.js';

interface FixturePrompt {
  prompt: Prompt;
  get(
    input: Record<string, string>,
    request: ServerContext['mcpReq'],
  ): GetPromptResult | Promise<GetPromptResult | InputRequiredResult>;
}

function userPrompt(...contents: ContentBlock[]): GetPromptResult {
  return { messages: contents.map((content) => ({ role: 'user', content })) };
}

const textBlock = (text: string): ContentBlock => ({ type: 'text', text });
const requiredArguments = (...names: string[]) => names.map((name) => ({ name, required: true }));

const table: readonly FixturePrompt[] = [
  {
    prompt: { name: 'test_simple_prompt', description: 'Has no arguments.' },
    get: () => userPrompt(textBlock('This is a simple prompt for testing.')),
  },
  {
    prompt: {
      name: 'test_prompt_with_arguments',
      description: 'Repeats its arguments.',
      arguments: requiredArguments('arg1', 'arg2'),
    },
    get: ({ arg1 = '', arg2 = '' }) => userPrompt(textBlock(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  },
  {
    prompt: {
      name: 'test_prompt_with_embedded_resource',
      description: 'Embeds a resource.',
      arguments: requiredArguments('resourceUri'),
    },
    get: ({ resourceUri: uri = '' }) =>
      userPrompt(
        {
          type: 'resource',
          resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        },
        textBlock('Please process the embedded resource above.'),
      ),
  },
  {
    prompt: { name: 'test_prompt_with_image', description: 'Shows an image.' },
    get: () =>
      userPrompt(
        { type: 'image', data: pngBase64, mimeType: 'image/png' },
        textBlock('Please analyze the image above.'),
      ),
  },
  {
    prompt: { name: 'test_input_required_result_prompt', description: 'Asks for a context first.' },
    async get(_input, request) {
      const open = await ask({ rounds: [{ user_context: promptContext }] }, request);
      return open ?? userPrompt(textBlock(`Use this context: ${formValue(request, 'user_context', 'context')}`));
    },
  },
];

export const prompts: ReadonlyMap<string, FixturePrompt> = new Map(
  table.map((fixture) => [fixture.prompt.name, fixture]),
);

export function completePrompt(prefix: string): CompleteResult {
  const values = ['paris', 'park', 'party'].filter((value) => value.startsWith(prefix));
  return { completion: { values, total: values.length, hasMore: false } };
}
