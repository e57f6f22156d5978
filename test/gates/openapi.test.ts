// The gate for the API's description: Redocly's recommended rules, warnings included. The canaries prove that it can fail.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { describeApi } from '../../dist/http/openapi/describe-api.js';

// The document is plain JSON, which a canary breaks where it likes.
// oxlint-disable-next-line typescript/no-explicit-any
type Api = any;

const freshApi = (): Api => structuredClone(describeApi({ version: '1.2.3', url: 'http://127.0.0.1:4100' }));

async function lint(api: unknown): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: JSON.stringify(api), absoluteRef: 'openapi.json', config });
  return problems.map(({ ruleId, message, location: [at] }) => `${ruleId}: ${message} ${at?.pointer ?? ''}`);
}

describe('the gate for the description of the API', () => {
  it('passes', async () => {
    expect(await lint(freshApi())).toEqual([]);
  });

  it.each([
    ['no-unresolved-refs', 'a reference to nothing', (api: Api) => delete api.components.schemas.Id],
    ['security-defined', 'operations without security', (api: Api) => delete api.security],
    ['no-empty-servers', 'no server', (api: Api) => delete api.servers],
    [
      'no-invalid-media-type-examples',
      'an example that its schema refuses',
      (api: Api) => {
        api.paths['/v1/send_message'].post.requestBody.content['application/json'].example = { contents: 'x' };
      },
    ],
    [
      'operation-4xx-response',
      'an operation without refusals',
      (api: Api) => delete api.paths['/v1/events'].get.responses['4XX'],
    ],
    ['struct', 'a parameter without a place', (api: Api) => delete api.components.parameters.session.in],
  ])('%s reports %s', async (rule, _, breakIt) => {
    const api = freshApi();
    breakIt(api);
    expect((await lint(api)).map((problem) => problem.split(':')[0])).toContain(rule);
  });
});
