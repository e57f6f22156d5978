// coterie/files: local files as content blocks, for programs on Node.
export { fileBlock, type FileOptions } from './file-block.js';
export { programMemory } from './program-memory.js';
