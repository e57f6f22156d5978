// coterie/contract: operations, inputs, results and errors.
export { agentView, presences, type AgentView, type Presence } from './agent.js';
export { fromA2aParts, toA2aParts, type A2aPart } from './bridges/a2a-parts.js';
export { fromMcpContent, toMcpContent, type McpContent } from './bridges/mcp-content.js';
export { contentBlock, textOf, type ContentBlock } from './content-block.js';
export { ContentFault } from './content/fault.js';
export { splitThinking } from './content/split-thinking.js';
export { errorKinds, HubError, hubErrorFrom, type ErrorCode, type ErrorObject, type Retry } from './errors.js';
export { formatModes, formatProviders, formatStyles } from './format-choice.js';
export type { Formatted, FormatMode, FormatProvider, FormatStyle } from './format-choice.js';
export { limits, type Limits } from './limits.js';
export { message, type Message } from './message.js';
export {
  AudioBlock,
  Base64Source,
  ImageBlock,
  TextBlock,
  ThinkingBlock,
  ToolResultBlock,
  ToolResultBlock as ToolResult,
  ToolUseBlock,
  URLSource,
  VideoBlock,
} from './msg/blocks.js';
export { blocksOfType, getTextContent, getTextContent as textContent, hasToolCall } from './msg/extract.js';
export type { BlockKind, BlockOf } from './msg/extract.js';
export { Msg, MsgBuilder, MsgRole, type MsgFields, type MsgJson } from './msg/msg.js';
export { pairToolCalls, type Located, type ToolPair, type ToolPairs } from './msg/pair-tool-calls.js';
export { readMessages, type GivenMessage } from './msg/read-messages.js';
export { type InputOf, type Operation, type OutputOf } from './operation.js';
export { operationCalled, operationList, operations } from './operations/index.js';
export { threadView, type ThreadView } from './thread.js';
