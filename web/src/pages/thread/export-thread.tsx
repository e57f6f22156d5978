// "Export as…" for a thread.
import { exportThread, type ExportFormat } from '../../data/threads/export-thread.js';
import { ExportAs, type ExportProps } from '../../parts/export-as.js';

const formats: ExportProps<ExportFormat>['formats'] = [
  { format: 'markdown', label: 'Markdown' },
  { format: 'jsonl', label: 'JSON lines' },
  { format: 'openai', label: 'OpenAI request' },
  { format: 'openai-responses', label: 'OpenAI Responses request' },
  { format: 'anthropic', label: 'Anthropic request' },
  { format: 'gemini', label: 'Gemini request' },
  { format: 'dashscope', label: 'DashScope request' },
  { format: 'ollama', label: 'Ollama request' },
  { format: 'deepseek', label: 'DeepSeek request' },
];

export function ExportThread({ threadId }: { threadId: string }) {
  return (
    <ExportAs
      formats={formats}
      name={threadId}
      command={`coterie thread export ${threadId}`}
      write={(format) => exportThread(threadId, format)}
    />
  );
}
