import { Injectable } from '@nestjs/common';
import { assert, type Instant } from '#kernel';
import { conflict, invalid } from '../../api/api-error.js';
import { nextCutOff } from '../../money/bank-days.js';
import { isClosed } from '../../storage/closed-accounts.js';
import type { Transaction } from '../../storage/database.js';
import type { Unit } from '../../storage/unit.js';
import { testIbanOfScenario } from '../banks/test-values.js';
import type { MandateRow } from '../mandates/mandate-resource.js';
import { signedAccount } from '../mandates/signed-account.js';
import type { SepaRow } from '../sepa/sepa-resource.js';
import { type Aggregate, customerOf } from './aggregate.js';
import { INVALID_MERCHANT, INVALID_NUMBER, NO_ACQUIRER } from './bank.js';
import { newPayment } from './new-payment.js';
import { intentMachine, paymentMachine } from './states.js';
import { type Attempt, Transitions } from './transitions.js';

/** Makes direct debits, for the page or the API. Each debit starts under its intent's lock. */
@Injectable()
export class Debits {
  constructor(private readonly transitions: Transitions) {}

  /**
   * Debits a bank account with a signed mandate, without the payer: the effect of a PATCH of an
   * intent with `sepa`. The caller has checked that the intent accepts an attempt now. Throws
   * `ApiError`: 422 for an unknown bank account, 409 without a signed mandate or when the intent
   * accepts no direct debit. See docs/provider/payments-completion.md#resources.
   */
  async reuse(
    tx: Transaction,
    unit: Unit,
    held: Aggregate,
    sepaId: string,
    now: Instant,
  ): Promise<Attempt> {
    const { currency, methods_allowed: methods } = held.intent;
    const { sepa, mandate } = await signedAccount(tx, held.intent, sepaId);
    if (sepa === null) {
      const msg = `\`${sepaId}\` not found`;
      throw invalid({ loc: ['body', 'sepa'], msg, type: 'value_error' });
    }
    if (currency !== 'eur' || !methods.includes('sepa')) {
      throw conflict(
        'Payment intent does not accept a direct debit in its currency or with its methods',
      );
    }
    if (mandate === null) throw conflict(`SEPA account \`${sepaId}\` has no signed mandate`);
    return this.begin(tx, unit, held, sepa, mandate, now);
  }

  /**
   * Makes one debit attempt under a signed mandate, and ends the 3-D Secure session of an earlier
   * card attempt. If the bank account cannot be debited, the attempt is refused immediately, and
   * the payer may try again. Otherwise it is approved, and sent at the next cut-off. The intent's
   * `capture` has no influence.
   */
  async begin(
    tx: Transaction,
    unit: Unit,
    held: Aggregate,
    sepa: SepaRow,
    mandate: Pick<MandateRow, 'id'>,
    now: Instant,
  ): Promise<Attempt> {
    assert(held.intent.currency === 'eur', 'a direct debit is in euros');
    const freed = this.transitions.free(unit, held, now);
    const customer = await customerOf(tx, freed);
    const means = { method: 'sepa', sepa, mandateId: mandate.id } as const;
    const payment = newPayment(freed, means, customer, now);
    this.transitions.addPaymentEvent(unit, 'payment.created', payment, now);
    const intent = { ...freed, sepa_id: sepa.id, payment_id: payment.id };
    const refusal = refusalOf(sepa, await isClosed(tx, intent));
    if (refusal === null) return this.approve(unit, { intent, payment }, now);
    this.transitions.begin(unit, { intent, payment });
    return this.transitions.authorize(unit, { intent, payment }, refusal, now);
  }

  private approve(unit: Unit, { intent, payment }: Attempt, now: Instant): Attempt {
    const begun = {
      intent: { ...intent, status: intentMachine.next(intent.status, 'debit') },
      payment: {
        ...payment,
        status: paymentMachine.next(payment.status, 'debit'),
        response: '00',
        due_at: nextCutOff(now),
      },
    };
    this.transitions.begin(unit, begun);
    this.transitions.addEvents(unit, begun, { intent: 'debit', payment: 'debit' }, now);
    this.transitions.addPaymentEvent(unit, 'payment.succeeded', begun.payment, now);
    return begun;
  }
}

/**
 * The code with which a direct debit is refused immediately, by the rules that also apply to cards.
 * Null for a test account under a test key. See docs/provider/payments-completion.md#conventions.
 */
const refusalOf = ({ live, scenario }: SepaRow, closed: boolean): string | null => {
  if (closed) return INVALID_MERCHANT;
  const isTest = scenario !== null && testIbanOfScenario(scenario) !== undefined;
  if (live) return isTest ? INVALID_NUMBER : NO_ACQUIRER;
  return isTest ? null : INVALID_NUMBER;
};
