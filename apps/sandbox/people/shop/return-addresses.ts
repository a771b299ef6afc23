import { Injectable } from '@nestjs/common';

const MAX_KNOWN = 10_000;

/**
 * The order of each checkout id, for payers who return from an unframed payment page. Their return
 * URL contains the checkout id, because the order has no id when the URL is set. Kept in memory:
 * after a restart, these payers see the list of products.
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
