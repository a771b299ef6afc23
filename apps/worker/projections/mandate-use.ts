import type { RecordedEvent } from '#event-store';
import type { PaymentEvent } from '#payment';
import type { ProjectedRow, Projection } from './projection.js';

/** A row of `mandate_use`, by its columns: a payment that may be, or is, a direct debit. */
export interface MandateUseRow extends ProjectedRow {
  readonly payment_id: string;
  readonly order_id: string;
  readonly platform_id: string;
  readonly account_id: string;
  /** `sepa_…`; null until a debit was accepted. */
  readonly mandate_id: string | null;
  readonly debited_at: string | null;
}

const apply = (row: MandateUseRow | null, recorded: RecordedEvent): MandateUseRow | null => {
  const { streamId, version, type, data } = recorded;
  // The log gives events back as they were written, lifted to today's schema.
  const event = { ...data, type } as PaymentEvent;
  if (event.type === 'IntentRequested') {
    const { orderId, platformId, accountId, methods } = event;
    // A card's payment has no mandate: it gets no row.
    if (!methods.includes('sepa')) return null;
    return {
      payment_id: streamId, order_id: orderId, platform_id: platformId, account_id: accountId,
      mandate_id: null, debited_at: null, version,
    };
  }
  if (row === null) return null;
  if (event.type !== 'DirectDebitAccepted') return { ...row, version };
  return { ...row, mandate_id: event.mandateId ?? null, debited_at: event.at, version };
};

/** The mandates that were debited, for the list of those that may be used again. */
export const mandateUse: Projection<MandateUseRow> = {
  name: 'mandate_use',
  streamTypes: ['payment'],
  keyColumn: 'payment_id',
  columns: [
    'payment_id', 'order_id', 'platform_id', 'account_id', 'mandate_id', 'debited_at', 'version',
  ],
  apply,
};
