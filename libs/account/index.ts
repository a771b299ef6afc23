export { accountAggregate } from './domain/account-aggregate.js';
export type { AccountCommand } from './domain/account-command.js';
export { accountDecider } from './domain/account-decider.js';
export type { AccountEvent } from './domain/account-event.js';
