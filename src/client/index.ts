// coterie/client: the SDK, for programs and web pages.
export { HubError, type ErrorCode, type ErrorObject } from '../contract/errors.js';
export { formatMessages, type FormatMessage, type FormatOptions } from '../format/index.js';
export {
  HubClient,
  type CallInput,
  type CallOptions,
  type CallOutput,
  type HubClientOptions,
  type OperationName,
} from './hub-client.js';
export type { HubReply, HubRequest, Post } from './post.js';
export { memoryOf, Sealing, type ProgramMemory, type SealingOptions } from './sealed/index.js';
