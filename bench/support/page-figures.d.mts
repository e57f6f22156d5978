// Types of page-figures.mjs, which plain node must be able to run.
import type { BrowserContext, Page } from 'playwright-core';

interface Opened {
  path: string;
  /** A selector. */
  shown: string;
}

export function pagesOf(threadId: string): Record<'overview' | 'threads' | 'thread', Opened>;
export function openMeasured(
  context: BrowserContext,
  url: string,
  opened: Opened,
): Promise<{ page: Page; shownMs: number }>;
export function longestTask(page: Page): Promise<number>;
export function scroll(page: Page, turns: number): Promise<void>;
