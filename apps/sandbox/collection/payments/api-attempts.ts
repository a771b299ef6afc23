import { Injectable } from '@nestjs/common';
import type { Instant } from '#kernel';
import { conflict } from '../../api/api-error.js';
import type { Transaction } from '../../storage/database.js';
import type { Unit } from '../../storage/unit.js';
import type { CardRow } from '../cards/card-resource.js';
import type { Aggregate } from './aggregate.js';
import { CardAttempts } from './card-attempts.js';
import { type Attempt, Transitions } from './transitions.js';

/**
 * Card attempts started through the API, without the payment page. See
 * docs/provider/payments-completion.md#resources. When the payer is redirected to the bank, the
 * bank's page sends the confirmation that the payment page otherwise sends.
 */
@Injectable()
export class ApiAttempts {
  constructor(
    private readonly attempts: CardAttempts,
    private readonly transitions: Transitions,
  ) {}

  /**
   * Starts an attempt. When the bank approves without the payer, the payment is confirmed
   * immediately, because no browser is involved that could send a confirmation. The caller has
   * checked that the intent accepts an attempt now. Throws `ApiError` 409 when the intent accepts
   * no card.
   */
  async begin(
    tx: Transaction,
    unit: Unit,
    held: Aggregate,
    card: CardRow,
    now: Instant,
  ): Promise<Attempt> {
    if (!held.intent.methods_allowed.includes('card')) {
      throw conflict('Payment intent does not accept a card: add `card` to its allowed methods');
    }
    const attempt = await this.attempts.begin(tx, unit, held, card, now);
    if (attempt.intent.status !== 'authorized') return attempt;
    return this.transitions.confirm(unit, attempt, now);
  }
}
