// The receipts of the messages that are on the screen. The hub does not announce that a copy was read, so those that are not
// settled are read again while they are shown. Its sender and admins may see them.
import { signal, type Signal } from '@preact/signals';
import type { ReceiptView } from '../../../../src/contract/receipt.js';
import { call, Refused, Unreachable } from '../api.js';
import { isAudited, me } from '../hub.js';
import { isAdmin } from '../rights.js';
import type { Message } from '../types.js';

const everyMs = 2_000;
/** What is passed by in scrolling is not asked for. */
const settledMs = 150;
/** Calls at once, so that the page's other calls do not wait. */
const atOnce = 3;
const keptMax = 1_000;

type Known = readonly ReceiptView[] | undefined;

/** One signal for each message: what comes for one draws that one. */
const known = new Map<string, Signal<Known>>();

export function receiptsOf(id: string): Signal<Known> {
  const found = known.get(id) ?? signal<Known>(undefined);
  known.delete(id);
  known.set(id, found);
  // The one that was asked for longest ago.
  const [oldest = ''] = known.keys();
  if (known.size > keptMax) known.delete(oldest);
  return found;
}

const shown = new Map<string, Message>();
let isReading = false;
let timer: ReturnType<typeof setInterval> | undefined;

/** While the message is on the screen. Answers how to stop. */
export function watchReceipts(message: Message): () => void {
  if (!maySee(message) || isOnDemand(message)) return () => {};
  const settled = setTimeout(() => {
    shown.set(message.id, message);
    timer ??= setInterval(() => void readShown(), everyMs);
    void readShown();
  }, settledMs);
  return () => {
    clearTimeout(settled);
    shown.delete(message.id);
    if (shown.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function maySee({ sender }: Message): boolean {
  return sender !== 'system' && (sender === me.value || isAdmin.value);
}

/** Each reading of another's receipts is an entry of the audit log: they are read when someone asks for them. */
export function isOnDemand({ sender }: Message): boolean {
  return sender !== 'system' && sender !== me.value && isAdmin.value && isAudited.value;
}

export async function readReceipts(id: string): Promise<void> {
  try {
    const { deliveries } = await call<{ deliveries: ReceiptView[] }>('get_receipts', { messageId: id });
    receiptsOf(id).value = deliveries;
  } catch (error) {
    if (error instanceof Refused && error.status < 500) shown.delete(id);
    else if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
  }
}

async function readShown(): Promise<void> {
  if (isReading || document.visibilityState !== 'visible') return;
  isReading = true;
  const asked = new Set<string>();
  const next = (): string | undefined => {
    // Also what came on the screen meanwhile.
    const message = [...shown.values()].find((each) => !asked.has(each.id) && isDue(each));
    if (message !== undefined) asked.add(message.id);
    return message?.id;
  };
  const readOn = async (): Promise<void> => {
    for (let id = next(); id !== undefined; id = next()) await readReceipts(id);
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, readOn));
  } finally {
    isReading = false;
  }
}

function isDue({ id }: Message): boolean {
  const read = receiptsOf(id).peek();
  if (read === undefined) return true;
  return read.some(({ state }) => state === 'pending' || state === 'delivered');
}
