// A filter that is on or off.
import type { ComponentChildren } from 'preact';

export interface ChipProps {
  isOn: boolean;
  onClick: () => void;
  children: ComponentChildren;
}

export function Chip({ isOn, onClick, children }: ChipProps) {
  return (
    <button class="chip" type="button" aria-pressed={isOn} onClick={onClick}>
      {children}
    </button>
  );
}
