// coterie: start a hub inside a program of your own.
export { startHub, type Hub, type HubOptions } from './compose.js';
export { loadConfig, type Config } from './config.js';
export { createJsonLog } from './runtime/json-log.js';
