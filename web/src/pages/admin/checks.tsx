// Any of a few, with what they have in common above them.
export interface ChecksProps<Value extends string> {
  legend: string;
  held: readonly Value[];
  options: Readonly<Record<Value, string>>;
  onChange: (held: Value[]) => void;
}

export function Checks<Value extends string>({ legend, held, options, onChange }: ChecksProps<Value>) {
  const values = namesOf(options);
  return (
    <fieldset class="checks">
      <legend class="small">{legend}</legend>
      {values.map((each) => (
        <label class="check" key={each}>
          <input
            type="checkbox"
            checked={held.includes(each)}
            onChange={({ currentTarget: { checked } }) =>
              onChange(values.filter((other) => (other === each ? checked : held.includes(other))))
            }
          />
          {options[each]}
        </label>
      ))}
    </fieldset>
  );
}

/** Object.keys does not keep the type of the names. */
export function namesOf<Name extends string>(record: Readonly<Record<Name, unknown>>): Name[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.keys(record) as Name[];
}
