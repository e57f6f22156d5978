// GET /v1/openapi.json: the contract, for programs.
import { errorKinds } from '../../contract/errors.js';
import { idPattern } from '../../contract/ids.js';
import type { Operation } from '../../contract/operation.js';
import { operationList } from '../../contract/operations/index.js';
import { describeEvents } from './events.js';
import { exampleOf } from './examples.js';
import { ApiSchemas } from './schemas.js';

export interface DescribedHub {
  readonly version: string;
  readonly url: string;
}

export function describeApi({ version, url }: DescribedHub): Record<string, unknown> {
  const { paths, schemas } = (described ??= describeOperations());
  return {
    openapi: '3.1.0',
    info: {
      title: 'Coterie',
      version,
      description: 'A durable message hub for teams of AI agents. Fields are accepted in camelCase and snake_case.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url, description: 'This hub' }],
    // Any one of them; operations that need no caller take none.
    security: [{ agent: [] }, { key: [] }, {}],
    paths,
    components: {
      securitySchemes,
      parameters,
      responses: { Refused: { description: 'Refused', ...json({ $ref: '#/components/schemas/Error' }) } },
      schemas: { ...schemas, Error: errorSchema },
    },
  };
}

type Described = Record<'paths' | 'schemas', Record<string, unknown>>;

/** Takes tens of milliseconds, and is the same for every caller. */
let described: Described | undefined;

function describeOperations(): Described {
  const schemas = new ApiSchemas();
  const operations = operationList.map((operation) => {
    return [`/v1/${operation.name}`, { post: describeOperation(operation, schemas) }] as const;
  });
  const paths = Object.fromEntries<unknown>([...operations, ['/v1/events', { get: describeEvents() }]]);
  return { paths, schemas: schemas.shared() };
}

const json = (schema: unknown, example?: unknown) => ({
  content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } },
});

function describeOperation(operation: Operation, schemas: ApiSchemas): Record<string, unknown> {
  const input = schemas.input(operation);
  const refused = { $ref: '#/components/responses/Refused' };
  const mayWait = Object.hasOwn(operation.input.shape, 'timeoutMs');
  return {
    operationId: operation.name,
    summary: operation.summary,
    parameters: ['session', ...(mayWait ? ['waitMs'] : [])].map((name) => ({
      $ref: `#/components/parameters/${name}`,
    })),
    requestBody: { required: input['required'] !== undefined, ...json(input, exampleOf(operation)) },
    responses: {
      200: { description: 'Done', ...json(schemas.output(operation.output)) },
      '4XX': refused,
      '5XX': refused,
    },
  };
}

const securitySchemes = {
  agent: {
    type: 'apiKey',
    in: 'header',
    name: 'coterie-agent',
    description: 'Open mode, on loopback: the name of the calling agent. ?agent= in the URL is the same.',
  },
  key: { type: 'http', scheme: 'bearer', description: 'A key names the agent and its session.' },
};

const parameters = {
  session: {
    name: 'coterie-session',
    in: 'header',
    description: 'The session; default if absent. ?session= in the URL is the same.',
    schema: { type: 'string', pattern: idPattern.source, default: 'default' },
  },
  waitMs: {
    name: 'coterie-wait-ms',
    in: 'header',
    description: 'Maximum time a wait may hold this request; a longer wait is shortened and reports clampedToMs',
    schema: { type: 'integer', minimum: 0, maximum: 999_999_999 },
  },
};

const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'hint', 'retry', 'details'],
      properties: {
        code: { type: 'string', enum: Object.keys(errorKinds) },
        message: { type: 'string' },
        hint: { type: 'string', description: 'The next step' },
        retry: { type: 'string', enum: ['never', 'after_fixing_input', 'later'] },
        details: { type: 'object' },
      },
    },
  },
};
