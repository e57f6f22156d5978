// A line of text, or a day, with its label.
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
