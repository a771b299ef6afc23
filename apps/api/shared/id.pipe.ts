import { type PipeTransform } from '@nestjs/common';
import { noSuch, type Thing } from './tenancy.js';

/** An id in a path: one that we never give is not there, and the database is not asked for it. */
class IdPipe implements PipeTransform<string, string> {
  constructor(
    private readonly thing: Thing,
    private readonly pattern = /^[a-z]{2,5}_[A-Za-z0-9]{1,64}$/,
  ) {}

  transform(value: string): string {
    if (this.pattern.test(value)) return value;
    throw noSuch(this.thing);
  }
}

export const orderIdPipe = new IdPipe('order');
export const paymentIdPipe = new IdPipe('payment');
export const merchantIdPipe = new IdPipe('merchant');
export const payoutIdPipe = new IdPipe('payout');
export const accountIdPipe = new IdPipe('account');
/** Of whatever has a stream of events. */
export const eventIdPipe = new IdPipe('event');
export const exceptionIdPipe = new IdPipe('exception');
/** A provider account, a currency, and an account of the ledger. */
export const ledgerAccountIdPipe = new IdPipe(
  'ledger_account',
  /^acc_[A-Za-z0-9]{1,64}-[a-z]{3}-[a-z]{1,20}$/,
);
