import type { Instant } from '#kernel';
import { table } from '../../storage/table.js';

/** Never the number or the security code. */
export interface CardRow {
  readonly id: string;
  readonly account_id: string;
  readonly live: boolean;
  /**
   * Keyed, of the number and the expiry that was typed: in a scope the same are the same card. It
   * stays when the card is renewed.
   */
  readonly fingerprint: string;
  /** The test card's scenario, which says what its bank does; null for any other card. */
  readonly scenario: string | null;
  readonly brand: string;
  readonly last4: string;
  readonly exp_month: number;
  readonly exp_year: number;
  readonly country: string | null;
  readonly funding: string | null;
  readonly network: string | null;
  readonly nature: string | null;
  readonly name: string | null;
  readonly zip_code: string | null;
  readonly customer_id: string | null;
  readonly external_id: string | null;
  readonly created_at: Instant;
  readonly deleted_at: Instant | null;
}

export const CARDS = table<CardRow>('cards', 'ca', {
  id: 'fixed', account_id: 'fixed', live: 'fixed', fingerprint: 'fixed', scenario: 'fixed',
  brand: 'fixed',
  last4: 'fixed', exp_month: 'mutable', exp_year: 'mutable', country: 'fixed', funding: 'fixed',
  network: 'mutable', nature: 'fixed', name: 'mutable', zip_code: 'mutable',
  customer_id: 'mutable', external_id: 'mutable', created_at: 'fixed', deleted_at: 'mutable',
});
