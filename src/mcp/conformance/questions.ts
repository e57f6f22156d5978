// The input requests of the fixtures.
import { inputRequired, type InputRequest } from '@modelcontextprotocol/server';

export const roots = inputRequired.listRoots();

export function sample(text: string, maxTokens: number): InputRequest {
  return inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens });
}

export const capital = sample('What is the capital of France?', 100);

export function name(message: string): InputRequest {
  return inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  });
}

export const color = inputRequired.elicit({
  message: 'Step 2: What is your favorite color?',
  requestedSchema: { type: 'object', properties: { color: { type: 'string' } }, required: ['color'] },
});

export const confirm = inputRequired.elicit({
  message: 'Please confirm',
  requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
});

export const promptContext = inputRequired.elicit({
  message: 'What context should the prompt use?',
  requestedSchema: { type: 'object', properties: { context: { type: 'string' } }, required: ['context'] },
});

export function whoAreYou(message: string): InputRequest {
  return inputRequired.elicit({
    message,
    requestedSchema: {
      type: 'object',
      properties: {
        username: { type: 'string', description: "User's response" },
        email: { type: 'string', description: "User's email address" },
      },
      required: ['username', 'email'],
    },
  });
}

export const everyDefault = inputRequired.elicit({
  message: 'Please review your data.',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    },
  },
});

const options = ['option1', 'option2', 'option3'];
const titled = (kind: string) => ['First', 'Second', 'Third'].map((nth, index) => titledValue(index + 1, nth, kind));
const titledValue = (number: number, nth: string, kind: string) => ({
  const: `value${number}`,
  title: `${nth} ${kind}`,
});

export const everyChoice = inputRequired.elicit({
  message: 'Please choose.',
  requestedSchema: {
    type: 'object',
    properties: {
      untitledSingle: { type: 'string', enum: options },
      titledSingle: { type: 'string', oneOf: titled('Option') },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
      titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
    },
  },
});
