// The contract's schemas for OpenAPI: shared ones by reference, patterns and limits as they are enforced.
import { z } from 'zod';
import { agentView } from '../../contract/agent.js';
import { content, contentBlock } from '../../contract/content-block.js';
import { deadLetterView } from '../../contract/dead-letter.js';
import { groupView } from '../../contract/group.js';
import { shownInput, type JsonSchema } from '../../contract/input/input-schema.js';
import { messageRef, participantId, threadRef } from '../../contract/ids.js';
import { limits } from '../../contract/limits.js';
import { message } from '../../contract/message.js';
import { notifyPrefs, templateView } from '../../contract/notify.js';
import type { Operation } from '../../contract/operation.js';
import { alertView, asked, questionView } from '../../contract/signal/question.js';
import { receipt } from '../../contract/receipt.js';
import { sessionRef, sessionView } from '../../contract/session.js';
import { limitsOf } from '../../contract/input/schema-limits.js';
import { envelope, publicKeys } from '../../contract/signal/signal.js';
import { threadChangeResult } from '../../contract/text/thread-change.js';
import { threadHeader } from '../../contract/thread.js';
import { agentWake, attemptView } from '../../contract/wake.js';

const names = new Map<z.core.$ZodType, string>([
  [agentView, 'Agent'],
  [content, 'Content'],
  [contentBlock, 'ContentBlock'],
  [deadLetterView, 'DeadLetter'],
  [groupView, 'Group'],
  [message, 'Message'],
  [messageRef, 'MessageId'],
  [notifyPrefs, 'NotifyPrefs'],
  [participantId, 'Id'],
  [receipt, 'Receipt'],
  [envelope, 'Envelope'],
  [publicKeys, 'PublicKeys'],
  [questionView, 'Question'],
  [asked, 'Asked'],
  [alertView, 'Alert'],
  [agentWake, 'AgentWake'],
  [attemptView, 'WakeAttempt'],
  [sessionRef, 'SessionId'],
  [sessionView, 'Session'],
  [templateView, 'NotifyTemplate'],
  [threadChangeResult, 'ThreadChange'],
  [threadHeader, 'ThreadHeader'],
  [threadRef, 'ThreadId'],
]);

/** The descriptions of the contract, and a name for each shared schema. */
class NamedSchemas extends z.core.$ZodRegistry<z.core.GlobalMeta> {
  override get(schema: z.core.$ZodType): z.core.GlobalMeta | undefined {
    const meta = z.globalRegistry.get(schema);
    const id = names.get(schema);
    return id === undefined ? meta : { ...meta, id };
  }

  override has(schema: z.core.$ZodType): boolean {
    return this.get(schema) !== undefined;
  }
}

/** The schemas of one document, and those that they refer to. */
export class ApiSchemas {
  readonly #shared: Record<string, JsonSchema> = {};

  /** As callers write it. */
  input(operation: Operation): JsonSchema {
    const schema = this.#describe(operation.input, 'input');
    const shown = shownInput(operation, schema, (property) => property);
    const { callerField } = operation;
    if (callerField !== undefined) {
      shown.properties[callerField] = { ...this.#describe(participantId, 'input'), description: 'You' };
    }
    return { ...shown };
  }

  /** With what any result may have. */
  output(schema: z.ZodType): JsonSchema {
    return { allOf: [this.#describe(schema, 'output'), { $ref: `${reference}Answer` }] };
  }

  /** What the others refer to, by name; complete when all others have been described. */
  shared(): Record<string, JsonSchema> {
    return { ...this.#shared, Content: contentSchema(), Answer: answerSchema };
  }

  #describe(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const described = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      metadata: new NamedSchemas(),
      override({ zodSchema, jsonSchema }) {
        describeDefault(zodSchema, jsonSchema);
        describeLimits(zodSchema, jsonSchema);
      },
    });
    const { $schema: _, $defs = {}, ...rest } = plainJson(JSON.stringify(described).replaceAll('#/$defs/', reference));
    Object.assign(this.#shared, $defs);
    return rest;
  }
}

const reference = '#/components/schemas/';

/** A copy: zod's own type of a JSON Schema has methods. */
function plainJson(text: string): JsonSchema {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(text) as JsonSchema;
}

const answerSchema: JsonSchema = {
  description: 'What any result may have',
  type: 'object',
  properties: {
    next: { type: 'string', description: 'What to do next' },
    unread: { type: 'integer', minimum: 1, description: 'Messages in your inbox that wait for you' },
    warnings: { type: 'array', items: { type: 'string' } },
  },
};

function describeDefault(zodSchema: z.core.$ZodType, jsonSchema: z.core.JSONSchema.BaseSchema): void {
  // zod leaves it out where the field's text is read in any case, lest it is meant for what is read.
  if (zodSchema instanceof z.ZodDefault) jsonSchema.default ??= zodSchema.def.defaultValue;
}

function describeLimits(zodSchema: z.core.$ZodType, jsonSchema: z.core.JSONSchema.BaseSchema): void {
  const { maxBytes, ...keywords } = limitsOf(zodSchema);
  Object.assign(jsonSchema, keywords);
  if (maxBytes !== undefined) jsonSchema.description ??= `At most ${maxBytes} bytes`;
  // The bounds of a JavaScript integer are no rule of the contract.
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  // Keys of a JSON object are always text.
  delete jsonSchema.propertyNames;
  // Results may get more fields in a later release.
  const { additionalProperties: more } = jsonSchema;
  if (more === false || (typeof more === 'object' && Object.keys(more).length === 0)) {
    delete jsonSchema.additionalProperties;
  }
}

function contentSchema(): JsonSchema {
  return {
    description: `A text or a list of blocks; at most ${limits.contentBytes} bytes without attachments`,
    anyOf: [
      { type: 'string' },
      { type: 'array', maxItems: limits.contentBlocks, items: { $ref: `${reference}ContentBlock` } },
    ],
  };
}
