import { Injectable } from '@nestjs/common';
import { conflict } from '../../api/api-error.js';
import { noSuch } from '../../api/ids.js';
import { SandboxClock } from '../../clock/sandbox-clock.js';
import type { AccountScope } from '../../storage/account-scope.js';
import { findRow, lockRow } from '../../storage/by-id.js';
import { Store } from '../../storage/store.js';
import { isBeingFilled } from './due-payouts.js';
import { type PayoutRow, PAYOUTS } from './payout-resource.js';
import { payoutMachine } from './payout-states.js';

/** Payouts in the API and the User Area. Throws `ApiError`. */
@Injectable()
export class Payouts {
  constructor(
    private readonly store: Store,
    private readonly clock: SandboxClock,
  ) {}

  async read(scope: AccountScope, id: string): Promise<PayoutRow> {
    const row = await findRow(this.store.database, PAYOUTS, scope, id);
    if (row === null) throw noSuch('pout', id);
    return row;
  }

  /**
   * Marks the credit transfer of an unpaid payout as failed; its lines join the next payout. 409
   * for a completed payout, or while its lines are still being assigned to it. See
   * docs/provider/payments-completion.md#states.
   */
  async fail(scope: AccountScope, id: string): Promise<PayoutRow> {
    return this.store.decide(async (tx, unit) => {
      const payout = await lockRow(tx, PAYOUTS, scope, id);
      if (payout === null) throw noSuch('pout', id);
      if (isBeingFilled(payout)) throw conflict('Payout is being created: try again in a moment');
      if (!payoutMachine.can(payout.status, 'fail'))
        throw conflict(`Payout is ${payout.status}: it can no longer fail`);
      const status = payoutMachine.next(payout.status, 'fail');
      const changed = { ...payout, status, due_at: this.clock.now() };
      unit.change(PAYOUTS, changed);
      return changed;
    });
  }
}
