// Devices, quiet hours, channels.
export function SettingsPage() {
  return <p>Settings</p>;
}
