// The requests of model providers, as something to export.
import type { FormatProvider } from '../../../src/contract/format-choice.js';

export interface ExportFormat<Format extends string> {
  format: Format;
  label: string;
}

export const providerFormats: readonly ExportFormat<FormatProvider>[] = [
  { format: 'openai', label: 'OpenAI request' },
  { format: 'openai-responses', label: 'OpenAI Responses request' },
  { format: 'anthropic', label: 'Anthropic request' },
  { format: 'gemini', label: 'Gemini request' },
  { format: 'dashscope', label: 'DashScope request' },
  { format: 'ollama', label: 'Ollama request' },
  { format: 'deepseek', label: 'DeepSeek request' },
];
