export { type StuckCall, StuckCalls } from './stuck-calls.js';
