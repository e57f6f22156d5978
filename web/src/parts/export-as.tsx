// "Export as…": a thread or the session as a file of this machine.
import { useState } from 'preact/hooks';
import { TooLong } from '../data/threads/saved-file.js';
import { useWork } from '../pages/settings/use-work.js';
import type { ExportFormat } from './export-formats.js';
import { ErrorState, State } from './state.js';

export interface ExportProps<Format extends string> {
  formats: readonly [ExportFormat<Format>, ...ExportFormat<Format>[]];
  /** Of the file, without its ending. */
  name: string;
  /** For what is too long for a page. */
  command: string;
  write: (format: Format) => Promise<Blob>;
}

export function ExportAs<Format extends string>({ formats, name, command, write }: ExportProps<Format>) {
  const [first] = formats;
  const [format, setFormat] = useState<Format>(first.format);
  const { isBusy, error, run } = useWork();
  const save = () =>
    run(async () => {
      download(await write(format), `${name}.${endingOf(format)}`);
    });
  return (
    <form
      class="fields-stack rows-gap"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <label class="small">
        Export as
        <select
          class="field"
          value={format}
          onChange={({ currentTarget: { value } }) => {
            setFormat(formats.find((choice) => choice.format === value)?.format ?? first.format);
          }}
        >
          {formats.map((choice) => (
            <option value={choice.format}>{choice.label}</option>
          ))}
        </select>
      </label>
      <div class="btn-row">
        <button class="btn" type="submit" disabled={isBusy}>
          {isBusy ? 'Reading…' : 'Save the file'}
        </button>
      </div>
      {error instanceof TooLong ? (
        <State tone="warn" icon="warning" title={error.message}>
          At the terminal: <code>{isLines(format) ? command : `${command} --format ${format}`}</code>
        </State>
      ) : (
        error !== undefined && <ErrorState error={error} />
      )}
    </form>
  );
}

function endingOf(format: string): string {
  if (format === 'markdown') return 'md';
  return isLines(format) ? 'jsonl' : `${format}.json`;
}

/** What the command writes when it is not told otherwise. */
function isLines(format: string): boolean {
  return format === 'jsonl' || format === 'session';
}

function download(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
