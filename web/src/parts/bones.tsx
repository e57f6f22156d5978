// Stands for what is being loaded; only after 200 ms, so that a quick answer does not flash.
import { useEffect, useState } from 'preact/hooks';

const afterMs = 200;

export function Bones({ label }: { label: string }) {
  const [isShown, show] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => show(true), afterMs);
    return () => clearTimeout(timer);
  }, []);
  if (!isShown) return null;
  return (
    <div class="bones" role="status">
      <span class="vh">{label}</span>
      <span class="bone bone-s" />
      <span class="bone bone-l" />
      <span class="bone bone-m" />
      <span class="bone bone-b" />
      <span class="bone bone-b" />
    </div>
  );
}
