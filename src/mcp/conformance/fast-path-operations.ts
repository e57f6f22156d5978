// Fixtures that are operations like the hub's own: with them the suite tests results, errors and progress of the fast
// path in both eras.
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { HubError } from '../../contract/errors.js';
import { defineOperation } from '../../contract/operation.js';
import { bind, type BoundOperation, type CallContext } from '../../dispatch/bind.js';
import { describeTool } from './fixture-tool.js';
import { stepMs } from './samples.js';

interface FastPathFixture {
  name: string;
  summary: string;
  answer: (context: CallContext) => Promise<string>;
}

const fixtures: readonly FastPathFixture[] = [
  {
    name: 'test_simple_text',
    summary: 'Answers with a text.',
    answer: async () => 'This is a simple text response for testing.',
  },
  {
    name: 'test_error_handling',
    summary: 'Always fails.',
    answer: async () => {
      throw new HubError('INVALID_INPUT', 'This tool intentionally returns an error for testing', {
        hint: 'It always does.',
      });
    },
  },
  {
    name: 'test_tool_with_progress',
    summary: 'Reports progress three times, then answers.',
    answer: async ({ progress }) => {
      for (const step of ['begun', 'half done', 'done']) {
        progress?.(step);
        await sleep(stepMs);
      }
      return 'Progress was reported three times.';
    },
  },
];

export const fastPathTools = fixtures.map(({ name, summary }) => describeTool(name, summary));

export const fastPathOperations: readonly BoundOperation[] = fixtures.map(({ name, summary, answer }) => {
  const operation = defineOperation({
    name,
    summary,
    access: 'read',
    caller: 'optional',
    input: z.object({}),
    output: z.object({ text: z.string() }),
    effect: 'reads',
    inDefaultProfile: true,
    text: (output) => output.text,
  });
  return bind(operation, async (_caller, _input, context) => ({ output: { text: await answer(context) } }));
});
