// A setting that is on or off, with what it does.
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

export interface SwitchProps {
  label: string;
  isOn: boolean;
  isDisabled?: boolean;
  onChange: (isOn: boolean) => void;
  children?: ComponentChildren;
}

export function Switch({ label, isOn, isDisabled = false, onChange, children }: SwitchProps) {
  const id = useId();
  return (
    <div class="row row-2">
      <div class="row-main">
        <p>
          <label for={id}>{label}</label>
        </p>
        <p class="row-sub" id={`${id}-what`}>
          {children}
        </p>
      </div>
      <input
        class="switch row-act"
        type="checkbox"
        role="switch"
        id={id}
        aria-describedby={`${id}-what`}
        checked={isOn}
        disabled={isDisabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </div>
  );
}
