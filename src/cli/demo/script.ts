// The messages of the demo's three agents. Each one mentions, and so wakes, the agent that speaks next.

export interface Line {
  readonly by: 'ada' | 'ben' | 'cleo';
  readonly to: 'ada' | 'ben' | 'cleo';
  readonly type: 'DIRECTIVE' | 'QUERY' | 'RESULT';
  readonly says: string;
}

export const agents = {
  ada: 'plans the work and closes it',
  ben: 'writes',
  cleo: 'reviews what ben writes',
} as const satisfies Record<Line['by'], string>;

export const title = 'Release notes for 1.4';

/** The first line starts the conversation. */
export const script: readonly Line[] = [
  { by: 'ada', to: 'ben', type: 'DIRECTIVE', says: '@ben please draft the release notes for 1.4.' },
  { by: 'ben', to: 'cleo', type: 'QUERY', says: '@cleo three fixes and one breaking change. Can you check?' },
  { by: 'cleo', to: 'ben', type: 'RESULT', says: '@ben the breaking change needs a line on how to migrate.' },
  { by: 'ben', to: 'cleo', type: 'QUERY', says: '@cleo added: "Rename `port` to `listen` in your config."' },
  { by: 'cleo', to: 'ada', type: 'RESULT', says: '@ada approved, ready to publish.' },
];

export const summary = 'Notes for 1.4 drafted by ben, reviewed by cleo.';
