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
 * Attempts with a card that a merchant makes by the API, without the page.
 * docs/provider/payments-completion.md#resources. Where the payer is sent to the bank, the bank
 * itself sends the browser's confirmation.
 */
@Injectable()
export class ApiAttempts {
  constructor(
    private readonly attempts: CardAttempts,
    private readonly transitions: Transitions,
  ) {}

  /**
   * What is approved at once has no flow that could be interrupted: an automatic capture follows.
   * The caller has made sure that the intent takes an attempt now. Throws `ApiError` 409 where it
   * takes no card.
   */
  async begin(
    tx: Transaction,
    unit: Unit,
    held: Aggregate,
    card: CardRow,
    now: Instant,
  ): Promise<Attempt> {
    if (!held.intent.methods_allowed.includes('card')) {
      throw conflict('Payment intent takes no card: its methods do not allow it');
    }
    const attempt = await this.attempts.begin(tx, unit, held, card, now);
    const { status, capture } = attempt.intent;
    if (status !== 'authorized' || !capture) return attempt;
    return this.transitions.confirm(unit, attempt, now);
  }
}
