import { type PipeTransform } from '@nestjs/common';
import { noSuch, type Thing } from './tenancy.js';

/** Checks the form of an id in a path: a malformed id gets a 404 without a database query. */
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
export const webhookEndpointIdPipe = new IdPipe('webhook_endpoint');
export const webhookDeliveryIdPipe = new IdPipe('webhook_delivery');
/** Checks the id of an event stream of any type. */
export const eventIdPipe = new IdPipe('event');
export const exceptionIdPipe = new IdPipe('exception');
/** The id of a ledger account: provider account, currency and name. */
export const ledgerAccountIdPipe = new IdPipe(
  'ledger_account',
  /^acc_[A-Za-z0-9]{1,64}-[a-z]{3}-[a-z]{1,20}$/,
);
