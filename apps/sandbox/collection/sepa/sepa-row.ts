import type { Instant } from '#kernel';
import { table } from '../../storage/table.js';

/** A bank account to debit. Never its IBAN. */
export interface SepaRow {
  readonly id: string;
  readonly account_id: string;
  readonly live: boolean;
  /** Keyed, of the IBAN. */
  readonly fingerprint: string;
  /** The test IBAN's scenario, which says how its debits end; null for any other. */
  readonly scenario: string | null;
  readonly last4: string;
  /** Of the IBAN, ISO 3166 alpha-2. */
  readonly country: string;
  readonly name: string;
  readonly bic: string | null;
  readonly customer_id: string | null;
  /** YYYY-MM-DD, as given by the merchant. */
  readonly date_mandate: string | null;
  /** The mandate's reference as given by the merchant: a text, no `mndt_` id. */
  readonly mandate: string | null;
  readonly created_at: Instant;
  readonly deleted_at: Instant | null;
}

export const SEPA = table<SepaRow>('sepa', 'sa', {
  id: 'fixed', account_id: 'fixed', live: 'fixed', fingerprint: 'fixed', scenario: 'fixed', last4: 'fixed',
  country: 'fixed', name: 'mutable', bic: 'mutable', customer_id: 'mutable',
  date_mandate: 'mutable', mandate: 'mutable', created_at: 'fixed', deleted_at: 'mutable',
});
