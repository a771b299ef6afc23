import { addressResource } from './addresses/address-resource.js';
import { cardResource } from './cards/card-resource.js';
import { customerResource } from './customers/customer-resource.js';
import { disputeResource } from './disputes/dispute-resource.js';
import { mandateResource } from './mandates/mandate-resource.js';
import type { MandateRow } from './mandates/mandate-row.js';
import { intentResource } from './payments/intent-resource.js';
import type { IntentRow } from './payments/intent-row.js';
import { paymentResource } from './payments/payment-resource.js';
import type { FullPayment } from './payments/payment-row.js';
import { payoutResource } from './payouts/payout-resource.js';
import { priceResource } from './products/price-resource.js';
import { productResource } from './products/product-resource.js';
import { refundResource } from './refunds/refund-resource.js';
import { sepaResource } from './sepa/sepa-resource.js';
import { subscriptionResource } from './subscriptions/subscription-resource.js';

/**
 * Every object as GET and lists answer it and as events carry it: one shape each, made by its area
 * from its row. Completion, "Resources".
 */
export class Resources {
  readonly address = addressResource;
  readonly customer = customerResource;
  readonly card = cardResource;
  readonly sepa = sepaResource;
  readonly refund = refundResource;
  readonly dispute = disputeResource;
  readonly payout = payoutResource;
  readonly product = productResource;
  readonly price = priceResource;
  readonly subscription = subscriptionResource;

  /** `baseUrl` is how a browser reaches the sandbox. */
  constructor(private readonly baseUrl: string) {}

  intent(row: IntentRow) {
    return intentResource(row, this.baseUrl);
  }

  payment(row: FullPayment) {
    return paymentResource(row, this.baseUrl);
  }

  mandate(row: MandateRow) {
    return mandateResource(row, this.baseUrl);
  }
}
