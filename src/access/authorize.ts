// Checks whether a caller's key allows an operation.
import { HubError } from '../contract/errors.js';
import type { Operation } from '../contract/operation.js';
import { isAdmin, type Caller } from '../ports/caller.js';

export function authorize(operation: Operation, caller: Caller): void {
  if (caller.capabilities.has(operation.access) || isAdmin(caller)) return;
  throw new HubError('FORBIDDEN', `This key may not ${operation.access}, which ${operation.name} needs.`, {
    hint: 'Ask an administrator for a key with this capability.',
    details: { operation: operation.name, needs: operation.access },
  });
}
