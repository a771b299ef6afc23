import { Injectable } from '@nestjs/common';
import { newId } from '#kernel';
import { conflict, invalid } from '../../api/api-error.js';
import { noSuch } from '../../api/ids.js';
import { SandboxClock } from '../../clock/sandbox-clock.js';
import { addLines } from '../../money/waiting-lines.js';
import { type AccountScope, scopeValues } from '../../storage/account-scope.js';
import { findRow } from '../../storage/by-id.js';
import type { Transaction } from '../../storage/database.js';
import { Store } from '../../storage/store.js';
import { CARD_DISPUTE_CODES, SEPA_DISPUTE_CODES } from '../banks/dispute-codes.js';
import { lockPayment } from '../payments/aggregate.js';
import { paymentMachine } from '../payments/states.js';
import { failUnsentRefunds, sentRefunds } from '../refunds/waiting-refunds.js';
import { type DisputeRow, DISPUTES } from './dispute-resource.js';
import { disputeMachine, type DisputeMove } from './dispute-states.js';
import { type Evidence, EVIDENCE, type EvidenceRow } from './evidence-row.js';
import { type MovedDispute, moveDispute } from './move-dispute.js';
import { openDispute } from './open-dispute.js';

const OF_PAYMENT = {
  name: 'disputes:of-payment',
  text: 'SELECT * FROM disputes WHERE payment_id = $1 ORDER BY created_at DESC, seq DESC',
};
const OF_INTENT = {
  name: 'disputes:of-intent',
  text: 'SELECT * FROM disputes WHERE intent_id = $1 ORDER BY created_at DESC, seq DESC',
};

const LOCK = {
  name: 'dispute:lock',
  text: `SELECT t.*, card.scenario FROM disputes t
         JOIN payments p ON p.id = t.payment_id LEFT JOIN cards card ON card.id = p.card_id
         WHERE t.account_id = $1 AND t.live = $2 AND t.id = $3 FOR NO KEY UPDATE OF t`,
};
const EVIDENCE_OF = {
  name: 'dispute:evidence',
  text: 'SELECT * FROM dispute_evidence WHERE dispute_id = ANY($1) ORDER BY created_at, id',
};

const lockDispute = async (
  tx: Transaction,
  scope: AccountScope,
  id: string,
): Promise<MovedDispute> => {
  const [dispute] = await tx.query<MovedDispute>(LOCK, [...scopeValues(scope), id]);
  if (dispute === undefined) throw noSuch('dspt', id);
  return dispute;
};

/** Operations on disputes for the API and the User Area. Throws `ApiError`. */
@Injectable()
export class Disputes {
  constructor(
    private readonly store: Store,
    private readonly clock: SandboxClock,
  ) {}

  /**
   * Opens a dispute manually, with this reason code, for the part of a captured payment that is not
   * refunded yet. Unsent refunds of the payment are canceled. 404 for an unknown payment, 422 for a
   * code that does not exist for the payment's method, 409 when the payment is not captured, or is
   * fully refunded. See docs/provider/payments-completion.md#states.
   */
  async open(scope: AccountScope, paymentId: string, response: string): Promise<DisputeRow> {
    return this.store.decide(async (tx, unit) => {
      const held = await lockPayment(tx, scope, paymentId);
      if (held === null) throw noSuch('paym', paymentId);
      const { payment } = held;
      const codes = payment.method === 'card' ? CARD_DISPUTE_CODES : SEPA_DISPUTE_CODES;
      if (!Object.hasOwn(codes, response)) {
        const msg = `Input should be a dispute code of a ${payment.method} payment`;
        throw invalid({ loc: ['body', 'response'], msg, type: 'value_error' });
      }
      if (!paymentMachine.can(payment.status, 'dispute')) {
        throw conflict(`Payment is ${payment.status}: only a captured payment can be disputed`);
      }
      const sent = await sentRefunds(tx, [payment.id]);
      const leftMinor = payment.amount - (sent.get(payment.id) ?? 0);
      if (leftMinor === 0) throw conflict('Payment is refunded: nothing is left to dispute');
      const now = this.clock.now();
      const { dispute, line } = openDispute(unit, payment, leftMinor, response, now);
      await Promise.all([failUnsentRefunds(tx, unit, [payment.id]), addLines(tx, unit, [line])]);
      return dispute;
    });
  }

  /** Applies a manual decision to a dispute. A won dispute returns its amount to the merchant. */
  async move(scope: AccountScope, id: string, move: DisputeMove): Promise<DisputeRow> {
    return this.store.decide(async (tx, unit) => {
      const held = await lockDispute(tx, scope, id);
      if (!disputeMachine.can(held.status, move))
        throw conflict(`Dispute is ${held.status}: this decision is not possible in this status`);
      const { dispute, line } = moveDispute(unit, held, move, this.clock.now());
      await addLines(tx, unit, line === null ? [] : [line]);
      return dispute;
    });
  }

  /**
   * Stores the merchant's evidence, which each dispute accepts once; 409 when the dispute accepts
   * no evidence.
   */
  async sendEvidence(scope: AccountScope, id: string, evidence: Evidence): Promise<DisputeRow> {
    return this.store.decide(async (tx, unit) => {
      const held = await lockDispute(tx, scope, id);
      if (!disputeMachine.can(held.status, 'send_evidence')) {
        throw conflict(`Dispute is ${held.status}: evidence is not accepted`);
      }
      const now = this.clock.now();
      const { text, files } = evidence;
      unit.insert(EVIDENCE, { id: newId('evd'), dispute_id: id, text, files, created_at: now });
      return moveDispute(unit, held, 'send_evidence', now).dispute;
    });
  }

  /** The evidence for these disputes, oldest first. */
  async evidenceOf(disputeIds: readonly string[]): Promise<EvidenceRow[]> {
    return this.store.database.query<EvidenceRow>(EVIDENCE_OF, [disputeIds]);
  }

  async read(scope: AccountScope, id: string): Promise<DisputeRow> {
    const row = await findRow(this.store.database, DISPUTES, scope, id);
    if (row === null) throw noSuch('dspt', id);
    return row;
  }

  /** The disputes of the payment, newest first. */
  async ofPayment(paymentId: string): Promise<DisputeRow[]> {
    return this.store.database.query<DisputeRow>(OF_PAYMENT, [paymentId]);
  }

  /** The disputes of all payments of the intent, newest first. */
  async ofIntent(intentId: string): Promise<DisputeRow[]> {
    return this.store.database.query<DisputeRow>(OF_INTENT, [intentId]);
  }
}
