import { DELIVERY_MUTANTS } from './delivery-mutants.mjs';
import { LOG_MUTANTS } from './log-mutants.mjs';
import { MONEY_MUTANTS } from './money-mutants.mjs';
import { PAYMENT_MUTANTS } from './payment-mutants.mjs';
import { WEBHOOK_MUTANTS } from './webhook-mutants.mjs';
import { WORLD_MUTANTS } from './world-mutants.mjs';

export const MUTANTS = [
  ...PAYMENT_MUTANTS,
  ...MONEY_MUTANTS,
  ...LOG_MUTANTS,
  ...DELIVERY_MUTANTS,
  ...WEBHOOK_MUTANTS,
  ...WORLD_MUTANTS,
];
