import { Injectable } from '@nestjs/common';

const MAX_KNOWN = 10_000;

/**
 * Which order a checkout became, for payers who come back from an unframed payment page: the return
 * address is given before the order has an id. In memory; whoever comes too late sees the shelf.
 */
@Injectable()
export class ReturnAddresses {
  private readonly orders = new Map<string, string>();

  remember(checkoutId: string, orderId: string): void {
    const oldest = this.orders.keys().next();
    if (this.orders.size >= MAX_KNOWN && oldest.done !== true) this.orders.delete(oldest.value);
    this.orders.set(checkoutId, orderId);
  }

  orderOf(checkoutId: string): string | undefined {
    return this.orders.get(checkoutId);
  }
}
