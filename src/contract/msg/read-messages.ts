// Parses messages from JSON strictly; an error names its path.
import { z } from 'zod';
import { contentBlock, receivedContent, type ContentBlock } from '../content-block.js';
import { splitThinking } from '../content/split-thinking.js';
import { HubError } from '../errors.js';
import { oneOf } from '../fields.js';
import { roles } from '../message.js';
import { defaultRole } from './default-role.js';

/** The fields common to all frameworks; others are kept unchanged. */
const givenMessage = z.looseObject({
  id: z.string().optional(),
  name: z.string().optional(),
  sender: z.string().optional(),
  role: oneOf(roles).optional(),
  content: receivedContent,
  metadata: z.record(z.string(), z.unknown()).optional(),
  timestamp: z.string().optional(),
});

export type GivenMessage = z.infer<typeof givenMessage>;

export function readMessage(given: unknown): GivenMessage {
  return withThinking(read(givenMessage, withoutNulls(given), ''));
}

/** A list of messages, or an object with a `messages` list. */
export function readMessages(given: unknown): GivenMessage[] {
  const list = isFields(given) && 'messages' in given ? given['messages'] : given;
  return read(z.array(givenMessage), Array.isArray(list) ? list.map(withoutNulls) : list, 'messages').map(withThinking);
}

const label = z
  .string()
  .nullish()
  .transform((given) => given ?? undefined);
const speaker = z.object({ name: label, sender: label, role: label });
const knownBlocks = z.array(contentBlock);

/** Who speaks in a message at this path. Programs without types may give anything. */
export function readSpeaker(given: unknown, path: string): z.infer<typeof speaker> {
  return read(speaker, given, path);
}

/** Blocks as the hub returns them stay as they are; what else is given is read, and refused, as the hub does. */
export function readBlocks(given: string | readonly ContentBlock[], path: string): readonly ContentBlock[] {
  return typeof given !== 'string' && knownBlocks.safeParse(given).success ? given : read(receivedContent, given, path);
}

/** Splits an assistant's thinking from its text, as the hub does with what is sent. */
function withThinking(message: GivenMessage): GivenMessage {
  const { content: blocks, role = defaultRole(blocks) } = message;
  return role === 'ASSISTANT' ? { ...message, content: [...splitThinking(blocks)] } : message;
}

/** Many programs write null for a missing field. */
function withoutNulls(given: unknown): unknown {
  return isFields(given) ? Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) : given;
}

function isFields(given: unknown): given is Record<string, unknown> {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}

function read<Schema extends z.ZodType>(schema: Schema, given: unknown, root: string): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw badMessage(pathOf(root, issue?.path ?? []), problemOf(issue));
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new HubError('JSON_INVALID', 'The message is not valid JSON.', { hint: 'Give one JSON object.', cause });
  }
}

export function badMessage(path: string, problem: string): HubError {
  return new HubError('INVALID_INPUT', `${path === '' ? 'The message' : path}: ${problem}.`, {
    hint: path === '' ? 'Give one message as a JSON object.' : `Fix ${path} and try again.`,
    details: { field: path, problem },
  });
}

export function pathOf(root: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (so, part) => (typeof part === 'number' ? `${so}[${part}]` : `${so}${so === '' ? '' : '.'}${String(part)}`),
    root,
  );
}

function problemOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return 'cannot be read';
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  if (issue.code !== 'invalid_type' || issue.message.startsWith('must')) return issue.message;
  const forms: Readonly<Record<string, string>> = { array: 'a list', object: 'an object', record: 'an object' };
  return `must be ${forms[issue.expected] ?? `a ${issue.expected}`}`;
}
