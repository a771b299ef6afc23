export { REFUND_IS, type RefundIs, SettleCall, type Settled, UNDECIDED } from './settle-call.js';
export { closeStep, stepOnce, type StepOnceParts } from './step-once.js';
export { type StuckCall, StuckCalls } from './stuck-calls.js';
