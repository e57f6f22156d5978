// A line to copy.
import { useState } from 'preact/hooks';

export function Copy({ label, text }: { label: string; text: string }) {
  const [isCopied, set] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      set(true);
      setTimeout(() => set(false), 2_000);
    } catch {
      // No clipboard on this address: the line can be selected.
    }
  };
  return (
    <div class="copy">
      <code translate={false}>{text}</code>
      <button class="btn" type="button" aria-label={`Copy: ${label}`} onClick={() => void copy()}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </div>
  );
}
