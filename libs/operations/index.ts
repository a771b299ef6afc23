export { SettleCall, type Settled } from './settle-call.js';
export { stepOnce, type StepOnceParts } from './step-once.js';
export { type StuckCall, StuckCalls } from './stuck-calls.js';
