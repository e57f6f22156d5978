// GET /v1/openapi.json: the contract, for programs.
import { z } from 'zod';
import { errorKinds } from '../contract/errors.js';
import type { Operation } from '../contract/operation.js';
import { operationList } from '../contract/operations/index.js';
import { inputSchemaOf } from '../contract/input-schema.js';

export function describeApi(version: string): Record<string, unknown> {
  return {
    openapi: '3.1.0',
    info: { title: 'Coterie', version, description: 'A durable message hub for teams of AI agents.' },
    paths: Object.fromEntries(
      operationList.map((operation) => [`/v1/${operation.name}`, { post: describe(operation) }]),
    ),
    components: { schemas: { Error: errorSchema } },
  };
}

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });

function describe(operation: Operation): Record<string, unknown> {
  return {
    operationId: operation.name,
    summary: operation.summary,
    parameters: [
      { name: 'coterie-agent', in: 'header', required: false, schema: { type: 'string' }, description: 'Who calls' },
      {
        name: 'coterie-session',
        in: 'header',
        required: false,
        schema: { type: 'string' },
        description: 'The session',
      },
      {
        name: 'coterie-wait-ms',
        in: 'header',
        required: false,
        schema: { type: 'integer' },
        description: 'Maximum time a wait may hold this request; a longer wait is shortened and reports clampedToMs',
      },
    ],
    requestBody: json(inputSchemaOf(operation)),
    responses: {
      200: { description: 'Done', ...json(z.toJSONSchema(operation.output, { unrepresentable: 'any', io: 'output' })) },
      default: { description: 'Refused', ...json({ $ref: '#/components/schemas/Error' }) },
    },
  };
}

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
        hint: { type: 'string' },
        retry: { type: 'string', enum: ['never', 'after_fixing_input', 'later'] },
        details: { type: 'object' },
      },
    },
  },
};
