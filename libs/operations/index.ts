export { SettleCall, type Settled } from './settle-call.js';
export { closeStep, stepOnce, type StepOnceParts } from './step-once.js';
export { type StuckCall, StuckCalls } from './stuck-calls.js';
