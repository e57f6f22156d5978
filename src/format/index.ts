// coterie/format: messages for a provider's API, and back. Runs in browsers too.
export { formatMessages, type FormatOptions } from './format.js';
export type { FormatMessage } from './message.js';
export { importMessages, importSources, type ImportSource } from './import/import-messages.js';
