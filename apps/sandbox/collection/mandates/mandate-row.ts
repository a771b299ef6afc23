import type { Instant } from '#kernel';
import { table } from '../../storage/table.js';
import type { MandateStatus } from './mandate-states.js';

export interface MandateRow {
  readonly id: string;
  readonly account_id: string;
  readonly live: boolean;
  readonly status: MandateStatus;
  /** `page`: the payer signs it with a code. `import`: the merchant brings it. */
  readonly origin: 'page' | 'import';
  readonly sepa_id: string;
  readonly customer_id: string | null;
  /** The payment intent that the page made it for. */
  readonly intent_id: string | null;
  /** Unique mandate reference; null until signed, unless it was imported with one. */
  readonly rum: string | null;
  /** Secrets in the addresses that sign it and take its document: whoever has one may. */
  readonly sign_token: string;
  readonly upload_token: string;
  readonly signed_at: Instant | null;
  /** The last digits of the telephone that the payer signed with, for the document. */
  readonly phone_last4: string | null;
  readonly created_at: Instant;
  readonly deleted_at: Instant | null;
}

export const MANDATES = table<MandateRow>('mandates', 'ma', {
  id: 'fixed', account_id: 'fixed', live: 'fixed', status: 'mutable', origin: 'fixed', sepa_id: 'fixed',
  customer_id: 'fixed', intent_id: 'fixed', rum: 'mutable', sign_token: 'fixed',
  upload_token: 'fixed', signed_at: 'mutable', phone_last4: 'mutable', created_at: 'fixed',
  deleted_at: 'mutable',
});
