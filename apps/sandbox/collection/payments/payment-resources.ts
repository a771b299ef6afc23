import { type IntentRow, INTENTS } from './intent-resource.js';
import { type FullPayment, PAYMENTS } from './payment-resource.js';

/** Payments and intents as returned by the API, with the URLs of their pages. */
export class PaymentResources {
  /** `baseUrl`: the sandbox's public URL. */
  constructor(private readonly baseUrl: string) {}

  intent(row: IntentRow) {
    return INTENTS.wire(row, this.baseUrl);
  }

  payment(row: FullPayment) {
    return PAYMENTS.wire(row, this.baseUrl);
  }
}
