import { type IntentRow, INTENTS } from './intent-resource.js';
import { type FullPayment, PAYMENTS } from './payment-resource.js';

/** Payments and their intents as they are told, with the addresses of their pages. */
export class PaymentResources {
  /** `baseUrl` is how a browser reaches the sandbox. */
  constructor(private readonly baseUrl: string) {}

  intent(row: IntentRow) {
    return INTENTS.wire(row, this.baseUrl);
  }

  payment(row: FullPayment) {
    return PAYMENTS.wire(row, this.baseUrl);
  }
}
