import { Injectable } from '@nestjs/common';
import { type Instant, newId } from '#kernel';
import { type AccountScope, scopeOf, scopeValues } from '../../storage/account-scope.js';
import { lockRow } from '../../storage/by-id.js';
import type { Transaction } from '../../storage/database.js';
import { Fingerprints } from '../../storage/fingerprints.js';
import { patched } from '../../storage/patched.js';
import type { Unit } from '../../storage/unit.js';
import type { TypedCard } from './card-input.js';
import { type CardRow, CARDS } from './card-resource.js';
import { cardOfNumber } from './number-ranges.js';

/**
 * Selects one card, where several deleted cards have the same number and expiry date: the one that
 * is not deleted, or was deleted last.
 */
export const latestOf = (card: string): string =>
  `ORDER BY ${card}.deleted_at DESC NULLS FIRST LIMIT 1`;

const BY_FINGERPRINT = {
  name: 'card:by-fingerprint',
  text: `SELECT * FROM cards c WHERE c.account_id = $1 AND c.live = $2 AND c.fingerprint = $3
           AND c.exp_year = $4 AND c.exp_month = $5 ${latestOf('c')}`,
};

const BY_FINGERPRINT_AND_INTENT = {
  name: 'card:by-fingerprint-and-intent',
  text: `SELECT c.* FROM payment_intents i
         JOIN cards c ON c.account_id = i.account_id AND c.live = i.live AND c.fingerprint = $2
           AND c.exp_year = $3 AND c.exp_month = $4
         WHERE i.id = $1 ${latestOf('c')}`,
};

/**
 * The unique constraint that a second insert of the same card violates; the caller then tries again
 * and finds the inserted card. A renewal to the expiry date of another card violates it, too.
 */
export const SAME_CARD = 'cards_same_card';

/** The fingerprint of a card's number, with the year and month of its expiry. */
export type CardIdentity = readonly [fingerprint: string, expYear: number, expMonth: number];

/** The fields of a card that a merchant may set, apart from its number. */
export interface CardDetails extends AccountScope {
  readonly customer_id: string | null;
  readonly external_id?: string | null;
  readonly network?: string | null;
  readonly zip_code?: string | null;
}

/**
 * Stores cards without their numbers. Within an account and mode, the same number and expiry date
 * are always the same card.
 */
@Injectable()
export class Cards {
  constructor(private readonly fingerprints: Fingerprints) {}

  /**
   * Finds the entered card, or creates the card and its event in the same unit of work. A deleted
   * card is restored under its id, with a `created` event.
   */
  async findOrCreate(
    tx: Transaction,
    unit: Unit,
    typed: TypedCard,
    details: CardDetails,
    now: Instant,
  ): Promise<CardRow> {
    const values = [...scopeValues(details), ...this.identityOf(typed)];
    const [known] = await tx.query<CardRow>(BY_FINGERPRINT, values);
    return this.use(tx, unit, known ?? null, typed, details, now);
  }

  /** What identifies the entered card within an account and mode. */
  identityOf({ number, expYear, expMonth }: TypedCard): CardIdentity {
    return [this.fingerprints.ofCard(number), expYear, expMonth];
  }

  /**
   * The stored card of the intent's account with the number and the expiry date of the entered
   * card, even if it is deleted.
   */
  async findForIntent(
    tx: Transaction,
    typed: TypedCard,
    intentId: string,
  ): Promise<CardRow | null> {
    const values = [intentId, ...this.identityOf(typed)];
    const [known] = await tx.query<CardRow>(BY_FINGERPRINT_AND_INTENT, values);
    return known ?? null;
  }

  /** Returns the known card, restored if it was deleted; creates a card when `known` is null. */
  async use(
    tx: Transaction,
    unit: Unit,
    known: CardRow | null,
    typed: TypedCard,
    details: CardDetails,
    now: Instant,
  ): Promise<CardRow> {
    if (known !== null && known.deleted_at === null) return known;
    if (known !== null) return this.revive(tx, unit, known, typed, details, now);
    const card = newCard(typed, details, this.fingerprints.ofCard(typed.number), now);
    unit.insert(CARDS, card);
    unit.addEvent('card.created', details, CARDS.wire(card), now);
    return card;
  }

  private async revive(
    tx: Transaction,
    unit: Unit,
    known: CardRow,
    typed: TypedCard,
    details: CardDetails,
    now: Instant,
  ): Promise<CardRow> {
    tx.requireLocks();
    // A concurrent request may have changed the card; read it again under the lock.
    const held = (await lockRow(tx, CARDS, details, known.id)) ?? known;
    if (held.deleted_at === null) return held;
    const { customer_id, external_id = null, zip_code = null } = details;
    const network = details.network ?? cardOfNumber(typed.number).network;
    const card = patched(held, {
      name: typed.name,
      customer_id,
      external_id,
      network,
      zip_code,
      deleted_at: null,
    });
    unit.change(CARDS, card);
    unit.addEvent('card.created', details, CARDS.wire(card), now);
    return card;
  }
}

const newCard = (
  typed: TypedCard,
  details: CardDetails,
  fingerprint: string,
  now: Instant,
): CardRow => {
  const numbered = cardOfNumber(typed.number);
  return {
    id: newId('card'),
    ...scopeOf(details),
    fingerprint,
    ...numbered,
    network: details.network ?? numbered.network,
    usual_network: numbered.network,
    last4: typed.last4,
    exp_month: typed.expMonth,
    exp_year: typed.expYear,
    name: typed.name,
    zip_code: details.zip_code ?? null,
    customer_id: details.customer_id,
    external_id: details.external_id ?? null,
    created_at: now,
    deleted_at: null,
  };
};
