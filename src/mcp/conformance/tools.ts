// Every fixture tool the SDK serves, by name.
import { askingTools } from './asking-tools.js';
import { contentTools } from './content-tools.js';
import type { FixtureTool } from './fixture-tool.js';
import { notifyingTools } from './notifying-tools.js';

const all = [...contentTools, ...notifyingTools, ...askingTools];

export const fixtureTools: ReadonlyMap<string, FixtureTool> = new Map(
  all.map((fixture) => [fixture.tool.name, fixture]),
);
