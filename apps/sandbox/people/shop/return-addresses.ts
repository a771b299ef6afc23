import { Injectable } from '@nestjs/common';

const MAX_KNOWN = 10_000;

/**
 * The order of each checkout, for payers who return from an unframed payment page: the return
 * address is set before the order has an id. In memory; later visitors see the products.
 */
@Injectable()
export class ReturnAddresses {
  private readonly orders = new Map<string, string>();

  store(checkoutId: string, orderId: string): void {
    const oldest = this.orders.keys().next();
    if (this.orders.size >= MAX_KNOWN && oldest.done !== true) this.orders.delete(oldest.value);
    this.orders.set(checkoutId, orderId);
  }

  orderOf(checkoutId: string): string | undefined {
    return this.orders.get(checkoutId);
  }
}
