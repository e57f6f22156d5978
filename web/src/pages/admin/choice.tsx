// One of a few, with its label.
export interface ChoiceProps<Value extends string> {
  label: string;
  value: Value;
  options: Readonly<Record<Value, string>>;
  onChange: (value: Value) => void;
}

export function Choice<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  // Object.keys does not keep the type of the names.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const values = Object.keys(options) as Value[];
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
