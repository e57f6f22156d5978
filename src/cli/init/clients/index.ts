// The clients that init can connect.
import type { InitClient } from '../client.js';
import { claude } from './claude.js';
import { codex } from './codex.js';
import { copilot } from './copilot.js';
import { cursor } from './cursor.js';
import { gemini } from './gemini.js';
import { opencode } from './opencode.js';
import { vscode } from './vscode.js';

export const initClients: readonly InitClient[] = [claude, codex, opencode, gemini, cursor, vscode, copilot];
