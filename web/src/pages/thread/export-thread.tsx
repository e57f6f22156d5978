// "Export as…" for a thread.
import { exportThread, type ThreadFormat } from '../../data/threads/export-thread.js';
import { ExportAs, type ExportProps } from '../../parts/export-as.js';
import { providerFormats } from '../../parts/export-formats.js';

const formats: ExportProps<ThreadFormat>['formats'] = [
  { format: 'markdown', label: 'Markdown' },
  { format: 'jsonl', label: 'JSON lines' },
  ...providerFormats,
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
