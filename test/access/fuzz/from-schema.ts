// Inputs from the schemas that the hub publishes: mostly valid, at the limits, or with a field that is wrong.
import type { SeededRandom } from '../../fault/load/seeded-random.mjs';
import { junkText, junkValue } from './junk.js';

// A JSON schema as it comes over the wire.
// oxlint-disable-next-line typescript/no-explicit-any
export type Schema = Record<string, any>;

export interface FuzzedOperation {
  name: string;
  input: Schema;
}

export class Api {
  readonly operations: FuzzedOperation[];
  readonly #schemas: Record<string, Schema>;
  /** Ids and cursors that the hub has given out. */
  readonly #known: string[] = [];

  constructor(openapi: Schema) {
    this.#schemas = openapi['components'].schemas;
    this.operations = Object.entries<Schema>(openapi['paths']).flatMap(([path, { post }]) =>
      post === undefined
        ? []
        : [{ name: path.slice('/v1/'.length), input: post.requestBody.content['application/json'].schema }],
    );
  }

  /** Makes later calls meet what earlier ones made. */
  learn(text: string, isOurs: (id: string) => boolean): void {
    for (const [, id = ''] of text.matchAll(/"(?:\w*[iI]d|cursor|hash)":"([^"\\]{1,200})"/g)) {
      if (isOurs(id)) continue;
      if (this.#known.length < knownMax) this.#known.push(id);
      else this.#known[(id.length * 7919) % knownMax] = id;
    }
  }

  inputFor({ input }: FuzzedOperation, random: SeededRandom): Record<string, unknown> {
    const made = this.#object(input, random, 0);
    if (random.happens(0.25)) {
      const fields = [...Object.keys(input['properties'] ?? {}), 'agentId', 'senderId', junkText(random)];
      made[random.pick(fields)] = junkValue(random);
    }
    return made;
  }

  #object(schema: Schema, random: SeededRandom, depth: number): Record<string, unknown> {
    const required = new Set<string>(schema['required'] ?? []);
    const made: [string, unknown][] = [];
    for (const [name, field] of Object.entries<Schema>(schema['properties'] ?? {})) {
      const isGiven = required.has(name) ? !random.happens(0.05) : random.happens(0.3);
      if (isGiven) made.push([name, this.#field(name, field, random, depth + 1)]);
    }
    return Object.fromEntries(made);
  }

  #field(name: string, schema: Schema, random: SeededRandom, depth: number): unknown {
    // A valid wait may be ten minutes long; the fuzz waits for milliseconds.
    if (/timeout|waitms/i.test(name) && !random.happens(0.05)) return random.pick([0, 1, 5, 20]);
    return this.#value(schema, random, depth);
  }

  #value(schema: Schema, random: SeededRandom, depth: number): unknown {
    if (random.happens(0.04) || depth > 6) return junkValue(random);
    const reference: unknown = schema['$ref'];
    if (typeof reference === 'string') {
      return this.#value(this.#schemas[reference.split('/').at(-1) ?? ''] ?? {}, random, depth + 1);
    }
    const choices: unknown = schema['anyOf'] ?? schema['oneOf'];
    if (Array.isArray(choices)) return this.#value(random.pick(choices) as Schema, random, depth + 1);
    if (schema['const'] !== undefined) return schema['const'];
    if (Array.isArray(schema['enum'])) return random.pick(schema['enum']);
    switch (schema['type']) {
      case 'integer':
      case 'number':
        return numberFor(schema, random);
      case 'boolean':
        return random.happens(0.5);
      case 'array':
        return this.#list(schema, random, depth);
      case 'object':
        return this.#object(schema, random, depth);
      default:
        return this.#text(schema, random);
    }
  }

  #list(schema: Schema, random: SeededRandom, depth: number): unknown[] {
    const length = random.happens(0.01) ? Math.min(Number(schema['maxItems'] ?? 20) + 1, 1_001) : random.whole(0, 3);
    return Array.from({ length }, () => this.#value(schema['items'] ?? {}, random, depth + 1));
  }

  #text(schema: Schema, random: SeededRandom): string {
    const share = random.next();
    if (share < 0.35) return random.pick(agentNames);
    if (share < 0.65 && this.#known.length > 0) return random.pick(this.#known);
    if (share < 0.75) return junkText(random);
    const most = Number(schema['maxLength'] ?? 0);
    if (share < 0.8 && most > 0) return 'w'.repeat(most + random.whole(-1, 1));
    if (share < 0.85) return new Date(random.whole(0, 4e12)).toISOString();
    return random.pick(['release notes', 'can @ann look?', 'hello', 'builders', 'a b c']);
  }
}

const knownMax = 400;

export const agentNames = ['ann', 'ben', 'cas', 'dan', 'eve'];

function numberFor(schema: Schema, random: SeededRandom): number {
  const least = Number(schema['minimum'] ?? 0);
  const most = Number(schema['maximum'] ?? 1_000);
  if (random.happens(0.3)) return random.pick([least, most, least - 1, most + 1, 0]);
  return random.whole(least, Math.min(most, least + 100));
}
