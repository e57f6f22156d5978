// The result shared by all changes to a thread, and its text.
import { z } from 'zod';
import { threadView, type ThreadView } from '../thread.js';
import { renderThread } from './render-thread.js';
import { inLine } from './in-line.js';

export const threadChangeResult = threadView.extend({ success: z.boolean(), result: z.string() });

export function renderThreadChange({ result, ...thread }: ThreadView & { result: string }): string {
  return `${inLine(result)}\n${renderThread(thread)}`;
}
