// The last lines of every text: what was left out, that another program uses the name, and the unread count, because
// agents forget to check their inbox.
import { inLine } from './in-line.js';

export function closingLines(text: string, output: Record<string, unknown>): string[] {
  const { unread, messages, hasMore, leftOut } = output;
  const isMentioned = messages !== undefined && hasMore === true;
  return [
    ...(typeof leftOut === 'object' && leftOut !== null
      ? [
          `Left out to stay short: ${Object.entries(leftOut)
            .map(([list, count]) => `${count} of ${inLine(list)}`)
            .join(', ')}`,
        ]
      : []),
    ...inUseLines(text, output),
    ...(typeof unread !== 'number' || isMentioned ? [] : [`unread: ${unread}`]),
  ];
}

/** Any result may warn; some texts have their warnings already. */
function inUseLines(text: string, { warnings }: Record<string, unknown>): string[] {
  if (!Array.isArray(warnings)) return [];
  return warnings
    .filter((line): line is string => {
      return typeof line === 'string' && line.startsWith('IN_USE:');
    })
    .map(inLine)
    .filter((line) => !text.includes(line));
}
