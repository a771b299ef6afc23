import { ledger } from '../ledger/ledger.js';
import { mandateUse, paymentList } from '#payment';
import { merchantExceptions, merchantList } from '#onboarding';
import { orderList } from '#order';
import { payoutList } from '#payout';
import type { Projection } from '#projections';

/** All projections; a new projection needs a migration for its table, and an entry here. */
export const PROJECTIONS: readonly Projection[] = [
  ledger,
  mandateUse,
  merchantExceptions,
  merchantList,
  orderList,
  paymentList,
  payoutList,
];
