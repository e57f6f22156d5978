// Tools that send notifications besides their result.
import { setTimeout as sleep } from 'node:timers/promises';
import { describeTool, textAnswer, type FixtureCall, type FixtureTool } from './fixture-tool.js';
import { stepMs } from './samples.js';

const logLines = ['Tool execution started', 'Tool processing data', 'Tool execution completed'];

async function logThrice({ request }: FixtureCall): Promise<void> {
  for (const line of logLines) {
    await request.log('info', line);
    await sleep(stepMs);
  }
}

const actions: readonly [name: string, description: string, act: (call: FixtureCall) => Promise<void> | void][] = [
  ['test_tool_with_logging', 'Logs three lines.', logThrice],
  ['test_logging_tool', 'Logs a line.', ({ request }) => request.log('info', 'Tool called')],
  ['test_trigger_tool_change', 'Notifies that the tools have changed.', ({ notify }) => notify.toolsChanged()],
  ['test_trigger_prompt_change', 'Notifies that the prompts have changed.', ({ notify }) => notify.promptsChanged()],
];

export const notifyingTools: readonly FixtureTool[] = actions.map(([name, description, act]) => ({
  tool: describeTool(name, description),
  async call(call) {
    await act(call);
    return textAnswer(`${name} has run.`);
  },
}));
