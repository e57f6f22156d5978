// Icons: 20 units wide, drawn with the ink of the text beside them.
const drawings = {
  inbox: 'M3 11.5 5 4h10l2 7.5V16H3zM3 11.5h4l1.2 2h3.6l1.2-2h4',
  threads: 'M3 4h10v7H7.5L4.5 13.5V11H3zM8 14h4.5l3 2.5V14H17V7h-1.5',
  overview: 'M3 3h6v8H3zM11 3h6v4.5h-6zM3 13.5h6V17H3zM11 10h6v7h-6z',
  find: 'M3.5 9a5.5 5.5 0 1 0 11 0 5.5 5.5 0 1 0-11 0M13.2 13.2 17 17',
  settings: 'M3 6h8M15 6h2M3 14h2M9 14h8M11 6a2 2 0 1 0 4 0 2 2 0 1 0-4 0M5 14a2 2 0 1 0 4 0 2 2 0 1 0-4 0',
  back: 'M12 4.5 6.5 10l5.5 5.5',
  clock: 'M3 10a7 7 0 1 0 14 0 7 7 0 1 0-14 0M10 6v4.2l2.8 1.6',
  lock: 'M6 9h8a1.5 1.5 0 0 1 1.5 1.5v5A1.5 1.5 0 0 1 14 17H6a1.5 1.5 0 0 1-1.5-1.5v-5A1.5 1.5 0 0 1 6 9zM7 9V6.5a3 3 0 0 1 6 0V9',
  unlock:
    'M6 9h8a1.5 1.5 0 0 1 1.5 1.5v5A1.5 1.5 0 0 1 14 17H6a1.5 1.5 0 0 1-1.5-1.5v-5A1.5 1.5 0 0 1 6 9zM7 9V6.5a3 3 0 0 1 5.6-1.5',
  error: 'M7 3h6l4 4v6l-4 4H7l-4-4V7zM7.8 7.8l4.4 4.4m0-4.4-4.4 4.4',
  warning: 'M10 3.2 17.5 16.5h-15zM10 8.2v3.6M10 14v.1',
  success: 'M3 10a7 7 0 1 0 14 0 7 7 0 1 0-14 0M6.8 10.2l2.3 2.3 4.2-4.8',
  info: 'M3 10a7 7 0 1 0 14 0 7 7 0 1 0-14 0M10 9.2v4.3M10 6.6v.1',
  reply: 'M4 3v5.5a2 2 0 0 0 2 2h10M12.5 7l3.5 3.5-3.5 3.5',
  off: 'M3 7.5a10 10 0 0 1 14 0M5.7 10.6a6.2 6.2 0 0 1 8.6 0M10 15v.1M3.5 3.5l13 13',
  shield: 'M10 2.8 16 5v5c0 3.6-2.6 6-6 7.2C6.6 16 4 13.6 4 10V5z',
  phone:
    'M6.5 2.5h7A1.5 1.5 0 0 1 15 4v12a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 5 16V4a1.5 1.5 0 0 1 1.5-1.5zM9 14.8h2',
  tool: 'm4 6 4 4-4 4M10.5 14.5H16',
  thought: 'M5 12.5a4 4 0 0 1 .6-7.4 4.6 4.6 0 0 1 8.6.6 3.6 3.6 0 0 1-.7 6.8zM6 15.5a1 1 0 1 0 2 0 1 1 0 1 0-2 0',
  eye: 'M2.5 10C4.5 6.5 7 5 10 5s5.5 1.5 7.5 5c-2 3.5-4.5 5-7.5 5s-5.5-1.5-7.5-5zM7.7 10a2.3 2.3 0 1 0 4.6 0 2.3 2.3 0 1 0-4.6 0',
  dead: 'M3 5h14v10H3zM3 5l7 6 7-6M13 12l4 5m0-5-4 5',
  loop: 'M4 8.5A6 6 0 0 1 15 6.5M16 11.5A6 6 0 0 1 5 13.5M15.3 3v3.7h-3.7M4.7 17v-3.7h3.7',
  close: 'm5 5 10 10m0-10L5 15',
  twist: 'm7.5 5.5 5 4.5-5 4.5',
} as const;

export type IconName = keyof typeof drawings;

export function Icon({ name, size = '' }: { name: IconName; size?: 's' | 'tw' | '' }) {
  const extra = size === 's' ? ' ic-s' : size === 'tw' ? ' tw' : '';
  return (
    <svg class={`ic${extra}`} viewBox="0 0 20 20" aria-hidden="true">
      <path d={drawings[name]} />
    </svg>
  );
}

/** Four agents and a person. */
export function Brand() {
  return (
    <span class="brand">
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <g fill="currentColor">
          <rect x="3" y="5.5" width="5" height="5" rx="1.2" />
          <rect x="16" y="5.5" width="5" height="5" rx="1.2" />
          <rect x="5.5" y="15" width="5" height="5" rx="1.2" />
          <rect x="14" y="15" width="5" height="5" rx="1.2" />
        </g>
        <circle cx="12" cy="4.6" r="3.4" fill="#ffd83d" stroke="#14201b" stroke-width="1" />
      </svg>
      Coterie
    </span>
  );
}
