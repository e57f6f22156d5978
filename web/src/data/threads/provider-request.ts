// Formats messages for a model provider in the page: loaded when it is asked for, as the formatter brings the library of its schemas.
import './without-eval.js';
import type { Formatted, FormatProvider } from '../../../../src/contract/format-choice.js';
import { formatInSteps } from '../../../../src/format/format.js';
import type { Message } from '../types.js';

export interface Said {
  messages: readonly Message[];
  /** Whom no text may impersonate, besides those who wrote. */
  speakers: readonly string[];
}

export function requestOf(provider: FormatProvider, { messages, speakers }: Said): Generator<void, Formatted> {
  return formatInSteps(messages, { provider, mode: 'multiagent', speakers });
}
