import { ledger } from '../ledger/ledger.js';
import { mandateUse } from './mandate-use.js';
import { merchantExceptions } from './merchant-exceptions.js';
import { merchantList } from './merchant-list.js';
import { orderList } from './order-list.js';
import { paymentList } from './payment-list.js';
import { payoutList } from './payout-list.js';
import type { Projection } from './projection.js';

/** All projections; a new one needs a migration for its table, and its place here. */
export const PROJECTIONS: readonly Projection[] = [
  ledger, mandateUse, merchantExceptions, merchantList, orderList, paymentList, payoutList,
];
