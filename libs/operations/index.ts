export { SettleCall, type Settlement } from './settle-call.js';
export { type StuckCall, StuckCalls } from './stuck-calls.js';
