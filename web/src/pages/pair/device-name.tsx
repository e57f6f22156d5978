// The name under which the device is listed.
export interface DeviceNameProps {
  name: string;
  onInput: (name: string) => void;
}

export function DeviceName({ name, onInput }: DeviceNameProps) {
  return (
    <label class="small">
      Name of this device
      <input
        class="field"
        required
        maxLength={100}
        autocomplete="off"
        value={name}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  );
}
