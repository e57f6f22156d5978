// coterie/contract: what callers may say and hear.
export { agentView, presences, type AgentView, type Presence } from './agent.js';
export { contentBlock, textOf, type ContentBlock } from './content-block.js';
export { errorKinds, HubError, hubErrorFrom, type ErrorCode, type ErrorObject, type Retry } from './errors.js';
export { limits, type Limits } from './limits.js';
export { message, type Message } from './message.js';
export { type InputOf, type Operation, type OutputOf } from './operation.js';
export { operationCalled, operationList, operations } from './operations/index.js';
export { threadView, type ThreadView } from './thread.js';
