// Files that go with the message that is being written.
import { attachFiles, type Attached } from '../../data/attach.js';
import { spelled } from '../../parts/hidden-chars.js';
import { Icon } from '../../parts/icon.js';
import { State } from '../../parts/state.js';
import { sizeWords } from '../../parts/words/size-words.js';

export interface Attachments {
  files: readonly Attached[];
  /** Why the last one was not taken. */
  fault: string | undefined;
}

export const noAttachments: Attachments = { files: [], fault: undefined };

export async function withFiles(before: Attachments, files: Iterable<File>): Promise<Attachments> {
  const { attached, fault } = await attachFiles(before.files, [...files]);
  return { files: attached, fault };
}

interface ListProps {
  attachments: Attachments;
  onChange: (attachments: Attachments) => void;
}

export function AttachedFiles({ attachments: { files, fault }, onChange }: ListProps) {
  return (
    <>
      {fault !== undefined && (
        <State tone="bad" icon="error" title="Not attached.">
          <bdi>{spelled(fault)}</bdi>
        </State>
      )}
      {files.length > 0 && (
        <ul class="chips composer-top" aria-label="Attached files">
          {files.map((file, index) => (
            <li>
              <button
                class="chip chip-file"
                type="button"
                onClick={() => onChange({ files: files.filter((_, other) => other !== index), fault: undefined })}
              >
                <bdi>{spelled(file.name)}</bdi> {sizeWords(file.bytes)}
                <Icon name="close" size="s" />
                <span class="vh">Remove</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

export function AttachButton({ onFiles }: { onFiles: (files: Iterable<File>) => void }) {
  return (
    <label class="btn btn-quiet attach">
      Attach
      <input
        class="vh"
        type="file"
        multiple
        aria-label="Attach files"
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // So that the same file can be chosen again.
          currentTarget.value = '';
        }}
      />
    </label>
  );
}
