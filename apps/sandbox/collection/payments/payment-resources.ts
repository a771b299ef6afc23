import { intentResource } from './intent-resource.js';
import type { IntentRow } from './intent-row.js';
import { paymentResource } from './payment-resource.js';
import type { FullPayment } from './payment-row.js';

/** Payments and their intents as they are told, with the addresses of their pages. */
export class PaymentResources {
  /** `baseUrl` is how a browser reaches the sandbox. */
  constructor(private readonly baseUrl: string) {}

  intent(row: IntentRow) {
    return intentResource(row, this.baseUrl);
  }

  payment(row: FullPayment) {
    return paymentResource(row, this.baseUrl);
  }
}
