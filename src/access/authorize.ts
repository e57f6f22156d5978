// Whether a caller may call an operation. One rule for calls and for lists of tools.
import { HubError } from '../contract/errors.js';
import type { KeyCapability, Operation } from '../contract/operation.js';
import { isObserver, type Caller } from '../ports/caller.js';

function mayCall(operation: Operation, { capabilities }: { capabilities: ReadonlySet<KeyCapability> }): boolean {
  if (capabilities.has('observer')) return operation.forObservers === true;
  return capabilities.has(operation.access) || capabilities.has('admin');
}

export function authorize(operation: Operation, caller: Caller): void {
  if (mayCall(operation, caller)) return;
  const who = isObserver(caller) ? 'An observer’s key' : 'This key';
  throw new HubError('FORBIDDEN', `${who} may not call ${operation.name}, which needs '${operation.access}'.`, {
    hint: 'Ask an administrator for a key with this capability.',
    details: { operation: operation.name, needs: operation.access },
  });
}
