// A hub with many and long messages, and readers that check each answer against the budget.
import { expect } from 'vitest';
import { countTokens } from '../support/count-tokens.js';
import { call } from '../support/http-call.js';
import { connectMcp, type ToolAnswer } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';

const tokensMax = 8_000;

export const hub = useHub();

export function expectWithin(answer: ToolAnswer, tokens = tokensMax): void {
  expect(answer.isError).toBe(false);
  expect(countTokens(answer.text)).toBeLessThanOrEqual(tokens);
  expect(countTokens(JSON.stringify(answer.structured))).toBeLessThanOrEqual(tokens);
}

export const connect = (session: string, agent = 'ben') =>
  connectMcp('v2 2026', `${hub.url}/mcp?agent=${agent}&session=${session}`);

export const sentence = 'The nightly run of suite 7 failed in "leases": expected 3 copies, got 2. ';

export async function sendMany(session: string, count: number, bodyOf: (index: number) => string): Promise<void> {
  await call(hub.url, 'register_agent', { agentId: 'ben' }, { session });
  const indexes = Array.from({ length: count }, (_, index) => index);
  // One after another within each lane of the inbox, so that the order is known.
  for (const index of indexes) {
    await call(hub.url, 'send_message', { target: 'ben', message: bodyOf(index) }, { agent: 'ann', session });
  }
}

export const body = (index: number) => `${index} ${sentence.repeat(14)}`.slice(0, 1_024);
export const numberOf = (message: { content: { text: string }[] }) => Number(message.content[0]?.text.split(' ')[0]);

export interface Page {
  answer: ToolAnswer;
  numbers: number[];
}

export async function drain(next: (page: Page | undefined) => Promise<ToolAnswer>): Promise<Page[]> {
  const pages: Page[] = [];
  for (;;) {
    const answer = await next(pages.at(-1));
    const numbers = answer.structured.messages.map(numberOf);
    pages.push({ answer, numbers });
    if (answer.structured.hasMore === false) return pages;
    expect(numbers.length).toBeGreaterThan(0);
  }
}
