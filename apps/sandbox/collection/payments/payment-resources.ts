import { type IntentRow, INTENTS } from './intent-resource.js';
import { type FullPayment, PAYMENTS } from './payment-resource.js';

/** Payments and intents as returned by the API, with the addresses of their pages. */
export class PaymentResources {
  /** `baseUrl` is the sandbox's address for browsers. */
  constructor(private readonly baseUrl: string) {}

  intent(row: IntentRow) {
    return INTENTS.wire(row, this.baseUrl);
  }

  payment(row: FullPayment) {
    return PAYMENTS.wire(row, this.baseUrl);
  }
}
