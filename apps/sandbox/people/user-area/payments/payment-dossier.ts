import { Injectable } from '@nestjs/common';
import { noSuch } from '../../../api/ids.js';
import type { DisputeRow } from '../../../collection/disputes/dispute-resource.js';
import { Disputes } from '../../../collection/disputes/disputes.service.js';
import { type IntentRow, INTENTS } from '../../../collection/payments/intent-resource.js';
import type { FullPayment } from '../../../collection/payments/payment-resource.js';
import { Payments } from '../../../collection/payments/payments.service.js';
import type { RefundRow } from '../../../collection/refunds/refund-resource.js';
import { TAKING_REFUNDS } from '../../../collection/refunds/refund-states.js';
import { Refunds } from '../../../collection/refunds/refunds.service.js';
import type { AccountScope } from '../../../storage/account-scope.js';
import { findRow } from '../../../storage/by-id.js';
import { Database } from '../../../storage/database.js';
import { EventLog, type LoggedEvent } from '../webhooks/event-log.js';

/** A payment with its related objects, as the payment's page shows them. */
export interface PaymentDossier {
  readonly payment: FullPayment;
  readonly intent: IntentRow;
  /** All attempts of the intent, newest first, including this payment. */
  readonly attempts: readonly FullPayment[];
  readonly refunds: readonly RefundRow[];
  readonly disputes: readonly DisputeRow[];
  /** The events of the payment and of its intent, newest first. */
  readonly events: readonly LoggedEvent[];
}

/** An intent with its attempts and events, as the intent's page shows them. */
export interface IntentDossier {
  readonly intent: IntentRow;
  readonly attempts: readonly FullPayment[];
  readonly events: readonly LoggedEvent[];
}

/** The amount in minor units that may still be refunded. */
export const leftToRefund = ({ payment, refunds }: PaymentDossier): number =>
  refunds
    .filter(({ status }) => TAKING_REFUNDS.includes(status))
    .reduce((left, { amount }) => left - amount, payment.amount);

/** Reads the data that the pages of a payment and of an intent show. Throws `ApiError` 404. */
@Injectable()
export class Dossiers {
  constructor(
    private readonly database: Database,
    private readonly payments: Payments,
    private readonly refunds: Refunds,
    private readonly disputes: Disputes,
    private readonly events: EventLog,
  ) {}

  async payment(scope: AccountScope, id: string): Promise<PaymentDossier> {
    const payment = await this.payments.read(scope, id);
    const [intent, attempts, refunds, disputes, events] = await Promise.all([
      this.intentRow(scope, payment.intent_id),
      this.payments.attemptsOf(payment.intent_id),
      this.refunds.ofPayment(id),
      this.disputes.ofPayment(id),
      this.events.ofObjects([id, payment.intent_id]),
    ]);
    return { payment, intent, attempts, refunds, disputes, events };
  }

  async intent(scope: AccountScope, id: string): Promise<IntentDossier> {
    const [intent, attempts, events] = await Promise.all([
      this.intentRow(scope, id),
      this.payments.attemptsOf(id),
      this.events.ofObjects([id]),
    ]);
    return { intent, attempts, events };
  }

  private async intentRow(scope: AccountScope, id: string): Promise<IntentRow> {
    const row = await findRow(this.database, INTENTS, scope, id);
    if (row === null) throw noSuch('pi', id);
    return row;
  }
}
