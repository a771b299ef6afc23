export { runRestore } from './restore.js';
export { runFailover } from './run.js';
