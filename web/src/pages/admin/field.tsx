// A line of text, a day, or a number, with its label.
export interface FieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

export function Field({ label, value, onChange }: FieldProps) {
  return (
    <label class="small">
      {label}
      <input
        class="field"
        dir="auto"
        autocomplete="off"
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}

export function DayField({ label, value, onChange }: FieldProps) {
  return (
    <label class="small">
      {label}
      <input class="field" type="date" value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
    </label>
  );
}

/** A whole number from 0 on; empty while it is typed. */
export function NumberField({ label, value, max, onChange }: FieldProps & { max: number }) {
  return (
    <label class="small">
      {label}
      <input
        class="field"
        type="number"
        required
        min={0}
        max={max}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}
