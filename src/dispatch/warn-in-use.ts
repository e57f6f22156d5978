// Two programs under one name share its mail. The later one is told so in its first results.
import type { ConnectedProgram, ConnectedPrograms } from '../agent/connected-programs.js';
import type { Caller } from '../ports/caller.js';

type Output = Record<string, unknown>;

export function warnInUse(
  programs: ConnectedPrograms,
  { sessionId, agentId, connectAs }: Caller,
  { program, output }: { program: ConnectedProgram | undefined; output: Output },
): Output {
  const count = program === undefined || agentId === null ? 0 : programs.warn(sessionId, agentId, program);
  if (count === 0) return output;
  const warning =
    `IN_USE: ${count} programs act as '${agentId}' and share its mail; each message goes to only one of them. ` +
    `Give this one a name of its own: ${connectAs(`${agentId}-2`)}`;
  return { ...output, warnings: [...warningsIn(output), warning] };
}

function warningsIn({ warnings }: Output): unknown[] {
  return Array.isArray(warnings) ? warnings : [];
}
