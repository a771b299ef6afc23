import { Injectable } from '@nestjs/common';
import { conflict } from '../../api/api-error.js';
import { noSuch } from '../../api/ids.js';
import { SandboxClock } from '../../clock/sandbox-clock.js';
import { type AccountScope, isSameScope, scopeValues } from '../../storage/account-scope.js';
import type { Transaction } from '../../storage/database.js';
import { patched } from '../../storage/patched.js';
import { Store } from '../../storage/store.js';
import { lockPayment, PAYMENT_SELECT } from './aggregate.js';
import { checkCancel, checkCapture, checkInterrupted, isCaptureRequested } from './guards.js';
import { type FullPayment, type PaymentPatch, PAYMENTS } from './payment-resource.js';
import { type Attempt, Transitions } from './transitions.js';

const BY_ID = {
  name: 'payment:by-id',
  text: `${PAYMENT_SELECT} WHERE t.account_id = $1 AND t.live = $2 AND t.id = $3`,
};
const OF_INTENT = {
  name: 'payment:of-intent',
  text: `${PAYMENT_SELECT} WHERE t.intent_id = $1 ORDER BY t.created_at DESC, t.seq DESC LIMIT 100`,
};

/** Payments in the API and the User Area. Throws `ApiError`. */
@Injectable()
export class Payments {
  constructor(
    private readonly store: Store,
    private readonly clock: SandboxClock,
    private readonly transitions: Transitions,
  ) {}

  async read(scope: AccountScope, id: string): Promise<FullPayment> {
    const [row] = await this.store.database.query<FullPayment>(BY_ID, [...scopeValues(scope), id]);
    if (row === undefined) throw noSuch('paym', id);
    return row;
  }

  /**
   * Returns the payments of an intent, newest first. The intent may be the hidden intent of a
   * payment created in one call.
   */
  async attemptsOf(intentId: string): Promise<FullPayment[]> {
    return this.store.database.query<FullPayment>(OF_INTENT, [intentId]);
  }

  /**
   * Returns the payments of an intent as the API lists them: newest first, for this account and
   * mode only.
   */
  async ofIntent(scope: AccountScope, intentId: string): Promise<FullPayment[]> {
    const rows = await this.attemptsOf(intentId);
    return rows.filter((row) => isSameScope(row, scope) && !row.single_call);
  }

  async patch(scope: AccountScope, id: string, body: PaymentPatch): Promise<FullPayment> {
    return this.store.decide(async (tx, unit) => {
      const { payment } = await this.locked(tx, scope, id);
      const changed = patched(payment, PAYMENTS.changes(body));
      if (changed === payment) return payment;
      unit.change(PAYMENTS, changed);
      this.transitions.addPaymentEvent(unit, 'payment.updated', changed, this.clock.now());
      return changed;
    });
  }

  /** Captures a payment for the API, which allows this only for a payment with `capture: false`. */
  async capture(scope: AccountScope, id: string): Promise<FullPayment> {
    return this.captureIf(scope, id, ({ intent, payment }) => {
      if (!intent.capture) return;
      const how = payment.single_call ? 'Payment' : 'Payment intent';
      throw conflict(`${how} was created with capture=true: the API does not capture it`);
    });
  }

  /**
   * Captures a payment in the User Area: a payment with `capture: false`, or a payment with
   * `capture: true` that stayed authorized because the payer's flow was interrupted. Throws 409
   * when the payment is not authorized, or while the page's confirmation may still capture it. See
   * docs/provider/payments.md#manual-capture.
   */
  async captureManually(scope: AccountScope, id: string): Promise<FullPayment> {
    return this.captureIf(scope, id, ({ payment }) => checkInterrupted(payment, this.clock.now()));
  }

  /**
   * Cancels a payment and its intent manually; idempotent. Throws 409 once the payment was sent to
   * the bank (`capture_sent`).
   */
  async cancel(scope: AccountScope, id: string): Promise<FullPayment> {
    return this.store.decide(async (tx, unit) => {
      const { intent, payment } = await this.locked(tx, scope, id);
      if (payment.status === 'canceled') return payment;
      if (intent.payment_id !== id)
        throw conflict(`Payment is ${payment.status}: it can no longer be canceled`);
      const now = this.clock.now();
      checkCancel({ intent, payment }, now);
      return this.transitions.cancel(unit, { intent, payment }, now).payment ?? payment;
    });
  }

  private async captureIf(
    scope: AccountScope,
    id: string,
    check: (attempt: Attempt) => void,
  ): Promise<FullPayment> {
    return this.store.decide(async (tx, unit) => {
      // Only the latest attempt can be canceled; earlier attempts were refused or abandoned.
      const attempt = await this.locked(tx, scope, id);
      if (isCaptureRequested(attempt.payment)) return attempt.payment;
      const now = this.clock.now();
      checkCapture(attempt.payment, now);
      check(attempt);
      return this.transitions.capture(unit, attempt, now).payment;
    });
  }

  private async locked(tx: Transaction, scope: AccountScope, id: string): Promise<Attempt> {
    const held = await lockPayment(tx, scope, id);
    if (held === null) throw noSuch('paym', id);
    return held;
  }
}
