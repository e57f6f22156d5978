// Notices a decision at the terminal. Claude Code ends the hook when the person says no there, but not when they say yes: the
// conversation's log then gets a result of the call.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ToolCall } from '../../contract/signal/signal.js';

const lookEveryMs = 500;
/** How much of the log before the prompt is read: the call is among its last lines. */
const bytesBefore = 256 * 1024;
const bytesPerLook = 1024 * 1024;

/** Resolves when the call has a result; never if the log cannot be read, or does not have the call. */
export async function callHasResult(path: string, call: ToolCall, signal: AbortSignal): Promise<void> {
  const unread = logReader(path);
  const open = new Set<string>();
  let wasOpen = false;
  for (;;) {
    for (const line of unread()) {
      for (const block of blocksOf(line)) {
        const id = idOfCall(block, call);
        if (id !== undefined) open.add(id);
        if (block['type'] === 'tool_result' && typeof block['tool_use_id'] === 'string')
          open.delete(block['tool_use_id']);
      }
    }
    if (wasOpen && open.size === 0) return;
    wasOpen = open.size > 0;
    await sleep(lookEveryMs, undefined, { signal });
  }
}

/** Returns the lines that were added since the last look. */
function logReader(path: string): () => string[] {
  let offset: number | undefined;
  let rest = '';
  return () => {
    let file: number | undefined;
    try {
      file = openSync(path, 'r');
      const { size } = fstatSync(file);
      offset ??= Math.max(0, size - bytesBefore);
      const bytes = Buffer.alloc(Math.min(bytesPerLook, Math.max(0, size - offset)));
      const read = readSync(file, bytes, 0, bytes.length, offset);
      offset += read;
      const lines = (rest + bytes.toString('latin1', 0, read)).split('\n');
      rest = lines.pop() ?? '';
      // Decoded by lines: a read may end within a character.
      return lines.map((line) => Buffer.from(line, 'latin1').toString('utf8'));
    } catch {
      return [];
    } finally {
      if (file !== undefined) closeSync(file);
    }
  };
}

function blocksOf(line: string): Record<string, unknown>[] {
  try {
    const content = asRecord(asRecord(JSON.parse(line))['message'])['content'];
    return Array.isArray(content) ? content.map(asRecord) : [];
  } catch {
    return [];
  }
}

function idOfCall({ type, id, name, input }: Record<string, unknown>, call: ToolCall): string | undefined {
  if (type !== 'tool_use' || typeof id !== 'string' || name !== call.tool) return undefined;
  return JSON.stringify(input, null, 2) === call.input ? id : undefined;
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
