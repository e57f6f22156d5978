// coterie call, and the flags that the contract makes.
import { beforeAll, describe, expect, it } from 'vitest';
import { operationList } from '../../dist/contract/index.js';
import { inputSchemaOf } from '../../dist/contract/input/input-schema.js';
import { call } from '../support/http-call.js';
import { output, runCli } from './run-cli.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

beforeAll(async () => {
  await call(hub.url, 'register_agent', {}, { agent: 'ben' });
});

const callAs = async (agent: string, args: string[], stdin = '') =>
  JSON.parse(await output(['call', ...args, '--data', hub.data, '--as', agent], { stdin }));

describe('coterie call', () => {
  it.each([
    ['an argument', ['create_thread', '{"title":"Q4","participants":["ben"]}'], ''],
    ['--json', ['create_thread', '--json', '{"title":"Q4","participants":["ben"]}'], ''],
    ['a pipe', ['create_thread'], '{"title":"Q4","participants":["ben"]}'],
    ['a pipe that is asked for', ['create-thread', '--json', '-'], '{"title":"Q4","participants":["ben"]}'],
    ['flags', ['create_thread', '--title', 'Q4', '--participants', 'ben'], ''],
    ['an argument and flags', ['create_thread', '{"title":"Q4"}', '--participants', 'ben'], ''],
    ['a dash for the pipe', ['create_thread', '-'], '{"title":"Q4","participants":["ben"]}'],
    ['both', ['create_thread', '--json', '{"title":"Q4"}', '--participants', '["ben"]'], ''],
  ])('takes its input from %s', async (_, args, stdin) => {
    expect(await callAs('ann', args, stdin)).toMatchObject({ title: 'Q4', participants: ['ann', 'ben'] });
  });

  it('needs no input where the operation needs none', async () => {
    expect(await callAs('ann', ['list_agents'])).toMatchObject({
      agents: [{ id: 'ann' }, { id: 'ben' }, { id: 'me' }],
    });
  });

  it('reads numbers, switches and places by the schema', async () => {
    const { threadId } = await callAs('ann', [
      'create_thread',
      '--title',
      'T',
      '--initial-message',
      '[a] 1',
      '--private',
    ]);
    const { messages } = await callAs('ann', ['get_thread', '--thread-id', threadId, '--after', '0', '--limit', '2']);
    expect(messages).toMatchObject([{ content: [{ type: 'text', text: '[a] 1' }] }]);
    const barrier = await callAs('ann', ['wait_for_agents', '--agent-ids', 'zoe', '--timeout-ms', '1']);
    expect(barrier).toMatchObject({ complete: false, missing: ['zoe'] });
  });

  it.each([
    ['no operation', [], 2, /^USAGE: call needs an operation[^]*send_message/],
    ['an operation nobody knows', ['sendmesage'], 4, /^OPERATION_UNKNOWN: .*sendmesage[^]*send_message/],
    ['input that is no JSON', ['list_agents', '--json', '{'], 2, /^USAGE: The input is not a JSON object/],
    ['input that is a list', ['list_agents', '--json', '[]'], 2, /^USAGE: The input is not a JSON object/],
    ['an argument that is no JSON', ['list_agents', 'ben'], 2, /^USAGE: The input is not a JSON object/],
    ['input given twice', ['list_agents', '{}', '--json', '{}'], 2, /^USAGE: The input was given twice/],
    ['a field that is none', ['list_agents', '--json', '{"grop":"x"}'], 4, /^UNKNOWN_FIELD: [^]*group/],
    ['a flag that is none', ['list_agents', '--grop', 'x'], 2, /^USAGE: --grop is not a flag[^]*--group/],
  ])('refuses %s', async (_, args, exitCode, says) => {
    const ended = await runCli(['call', ...args, '--data', hub.data]);
    expect(ended).toMatchObject({ exitCode, stdout: '', stderr: expect.stringMatching(says) });
  });

  it('has a flag for every field of every operation', async () => {
    // In one process: the help of each operation lists what its command line takes.
    const { call: command } = await import('../../dist/cli/call.js');
    const kebab = (field: string) => field.replace(/_|(?=[A-Z])/g, '-').toLowerCase();
    for (const operation of operationList) {
      const names = command.describe([operation.name]).flags.map(({ name }) => name);
      const fields = Object.keys(inputSchemaOf(operation).properties).map(kebab);
      expect(names, operation.name).toEqual(expect.arrayContaining(fields));
      expect(new Set(names).size, operation.name).toBe(names.length);
    }
  });
});
