// Refuses a call that the caller's key does not allow.
import { HubError } from '../contract/errors.js';
import { mayCall, type Operation } from '../contract/operation.js';
import { isObserver, type Caller } from '../ports/caller.js';

export function authorize(operation: Operation, caller: Caller): void {
  if (mayCall(operation, caller.capabilities)) return;
  const who = isObserver(caller) ? 'An observer’s key' : 'This key';
  throw new HubError('FORBIDDEN', `${who} may not call ${operation.name}, which needs '${operation.access}'.`, {
    hint: 'Ask an administrator for a key with this capability.',
    details: { operation: operation.name, needs: operation.access },
  });
}
