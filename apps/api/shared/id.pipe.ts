import { type PipeTransform } from '@nestjs/common';
import { Rejection } from '#kernel';

/** An id in a path: one that we never give is not there, and the database is not asked for it. */
class IdPipe implements PipeTransform<string, string> {
  constructor(private readonly thing: 'order' | 'payment' | 'merchant') {}

  transform(value: string): string {
    if (/^[a-z]{2,5}_[A-Za-z0-9]{1,64}$/.test(value)) return value;
    throw new Rejection(`${this.thing}_not_found`, `there is no such ${this.thing}`);
  }
}

export const orderIdPipe = new IdPipe('order');
export const paymentIdPipe = new IdPipe('payment');
export const merchantIdPipe = new IdPipe('merchant');
