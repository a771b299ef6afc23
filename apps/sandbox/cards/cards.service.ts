import { Injectable } from '@nestjs/common';
import { type Instant, newId } from '#kernel';
import type { Transaction } from '../database/database.js';
import type { Unit } from '../database/unit.js';
import { Fingerprints } from '../fingerprints.js';
import { Resources } from '../resources.js';
import { testCardOf } from '../test-values.js';
import type { TypedCard } from './card-input.js';
import { CARDS, type CardRow } from './card-row.js';

const BY_FINGERPRINT = {
  name: 'card:by-fingerprint',
  text: 'SELECT * FROM cards WHERE live = $1 AND fingerprint = $2',
};

/** The constraint that the same new card at once, typed twice, runs into: then do it again. */
export const SAME_CARD = 'cards_same_card';

/** Cards without their numbers: the same number and expiry in a mode is the same card. */
@Injectable()
export class Cards {
  constructor(
    private readonly fingerprints: Fingerprints,
    private readonly resources: Resources,
  ) {}

  /** The card that was typed: the known one, or one that the unit makes and tells. */
  async keep(
    tx: Transaction,
    unit: Unit,
    typed: TypedCard,
    owner: { readonly live: boolean; readonly customer_id: string | null },
    now: Instant,
  ): Promise<CardRow> {
    const { live } = owner;
    const fingerprint = this.fingerprints.ofCard(typed.number, typed.expYear, typed.expMonth);
    const [known] = await tx.query<CardRow>(BY_FINGERPRINT, [live, fingerprint]);
    if (known !== undefined) return known;
    const testCard = testCardOf(typed.number);
    const card: CardRow = {
      id: newId('card'), live, fingerprint,
      scenario: testCard?.scenario ?? null,
      brand: testCard === undefined ? 'unknown' : 'sandbox', last4: typed.last4,
      exp_month: typed.expMonth, exp_year: typed.expYear, country: testCard?.country ?? null,
      funding: testCard === undefined ? null : 'debit', network: null, nature: null,
      name: typed.name, zip_code: null, customer_id: owner.customer_id, external_id: null,
      created_at: now, deleted_at: null,
    };
    unit.insert(CARDS, card);
    unit.tell('card.created', live, this.resources.card(card), now);
    return card;
  }
}
