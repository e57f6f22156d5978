// A button for what cannot be undone: the first click asks, the second does it.
import { useState } from 'preact/hooks';
import { spellHidden } from '../../parts/hidden-chars.js';

export interface ConfirmProps {
  /** What is on the button, and what it is done to, which is only read out. */
  act: string;
  target: string;
  /** What follows from it; shown with the question. */
  warning?: string;
  isBusy: boolean;
  onConfirm: () => void;
}

export function Confirm({ act, target, warning, isBusy, onConfirm }: ConfirmProps) {
  const [isAsking, setAsking] = useState(false);
  const unseen = <span class="vh"> {spellHidden(target)}</span>;
  if (!isAsking) {
    return (
      <button class="btn btn-quiet" type="button" disabled={isBusy} onClick={() => setAsking(true)}>
        {act}
        {unseen}
      </button>
    );
  }
  return (
    <>
      {warning !== undefined && <p class="confirm">{warning}</p>}
      <button
        class="btn"
        type="button"
        disabled={isBusy}
        onClick={() => {
          setAsking(false);
          onConfirm();
        }}
      >
        {act} for good{unseen}
      </button>
      <button class="btn btn-quiet" type="button" onClick={() => setAsking(false)}>
        Keep{unseen}
      </button>
    </>
  );
}
