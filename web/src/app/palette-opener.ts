// Ctrl K or Cmd K opens the palette, from anywhere. Its code is loaded then.
import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';

export const isPaletteOpen = signal(false);
export const Palette = signal<ComponentType | undefined>(undefined);

export function followPaletteKey(): void {
  document.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    void openPalette();
  });
}

async function openPalette(): Promise<void> {
  isPaletteOpen.value = !isPaletteOpen.value;
  // Without a connection there is no palette, and nothing else to say.
  Palette.value ??= await import('./palette.js').then(
    (loaded) => loaded.CommandPalette,
    () => undefined,
  );
}
