// What hubs publish to each other, and how it is packed into notifications.

/** One hint as it is published; the first field is its kind. */
export type Item =
  | readonly ['copy', session: string, agent: string, thread: string | null, sender: string, flags: number]
  | readonly ['agents' | 'feed' | 'closed' | 'signals', session: string]
  | readonly ['thread', session: string, thread: string]
  | readonly ['freed', session: string, agent: string]
  | readonly ['presence', session: string, agent: string, at: number, waiting: 0 | 1]
  | readonly ['program', session: string, agent: string, id: string, likeness: string, at: number, on: 0 | 1]
  | readonly ['turn', session: string, sender: string, other: string, at: number, seq: number]
  | readonly ['spent', key: string, calls: number]
  | readonly ['alerts', bucket: string, alerts: number]
  | readonly ['cancelled' | 'aborted', label: string, kind: 'string' | 'number', id: string]
  | readonly ['wake', session: string, agent: string, what: string, text: string, number: number]
  | readonly [
      'loop',
      session: string,
      sender: string,
      other: string | null,
      thread: string | null,
      at: number,
      n: number,
    ]
  | readonly ['delays', session: string, minute: number, counts: string]
  | readonly ['keys']
  | readonly ['hello'];

/** Types of the fields after the kind: s string, n number, t string or null. */
const shapes: Record<Item[0], string> = {
  copy: 'sstsn',
  agents: 's',
  feed: 's',
  closed: 's',
  signals: 's',
  thread: 'ss',
  freed: 'ss',
  presence: 'ssnn',
  program: 'ssssnn',
  turn: 'sssnn',
  spent: 'sn',
  alerts: 'sn',
  cancelled: 'sss',
  aborted: 'sss',
  wake: 'ssssn',
  loop: 'ssttnn',
  delays: 'sns',
  keys: '',
  hello: '',
};

const shapeOf = new Map(Object.entries(shapes));

/** From a hub of this or another release, or any client of the database: what is not known is ignored. */
export function itemsIn(payload: string): unknown[] {
  try {
    const items: unknown = JSON.parse(payload);
    return Array.isArray(items) ? items : [];
  } catch {
    return [];
  }
}

export function isItem(value: unknown): value is Item {
  if (!Array.isArray(value)) return false;
  const [kind, ...fields] = value.map((field: unknown) => field);
  const shape = typeof kind === 'string' ? shapeOf.get(kind) : undefined;
  return shape?.length === fields.length && fields.every((field, index) => hasShape(field, shape.charAt(index)));
}

function hasShape(field: unknown, shape: string): boolean {
  if (shape === 'n') return typeof field === 'number';
  return typeof field === 'string' || (shape === 't' && field === null);
}

/** As few payloads as their longest length allows. */
export function payloadsOf(items: readonly string[], bytesMax: number): string[] {
  const payloads: string[] = [];
  let batch: string[] = [];
  let bytes = 2;
  for (const item of items) {
    const itemBytes = Buffer.byteLength(item) + 1;
    // Too long for any notification; it must not hold back the others.
    if (itemBytes + 2 > bytesMax) continue;
    if (bytes + itemBytes > bytesMax) {
      payloads.push(`[${batch.join(',')}]`);
      batch = [];
      bytes = 2;
    }
    batch.push(item);
    bytes += itemBytes;
  }
  if (batch.length > 0) payloads.push(`[${batch.join(',')}]`);
  return payloads;
}
