// The package's main entry: starts a hub inside another program.
export { startHub, type Hub, type HubOptions } from './compose.js';
export { loadConfig, type Config } from './config.js';
export { createJsonLog } from './runtime/json-log.js';
