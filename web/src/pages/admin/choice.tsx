// One of a few, with its label.
import { namesOf } from './checks.js';

export interface ChoiceProps<Value extends string> {
  label: string;
  value: Value;
  options: Readonly<Record<Value, string>>;
  onChange: (value: Value) => void;
}

export function Choice<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  const values = namesOf(options);
  return (
    <label class="small">
      {label}
      <select
        class="field select"
        value={value}
        onChange={({ currentTarget }) => onChange(values.find((each) => each === currentTarget.value) ?? value)}
      >
        {values.map((each) => (
          <option value={each}>{options[each]}</option>
        ))}
      </select>
    </label>
  );
}
