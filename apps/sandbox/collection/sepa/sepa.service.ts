import { Injectable } from '@nestjs/common';
import { present } from '../../api/ids.js';
import { checkReferences } from '../../api/references.js';
import { SandboxClock } from '../../clock/sandbox-clock.js';
import type { AccountScope } from '../../storage/account-scope.js';
import { findRow, lockRow } from '../../storage/by-id.js';
import { Store } from '../../storage/store.js';
import { Unit } from '../../storage/unit.js';
import { Accounts } from './accounts.js';
import { readIban } from './iban.js';
import { SEPA, type SepaCreate, type SepaPatch, type SepaRow } from './sepa-resource.js';

/** Bank accounts in the API. Throws `ApiError`. */
@Injectable()
export class Sepas {
  constructor(
    private readonly store: Store,
    private readonly clock: SandboxClock,
    private readonly accounts: Accounts,
  ) {}

  async create(scope: AccountScope, body: SepaCreate): Promise<SepaRow> {
    const iban = readIban(body.iban);
    await checkReferences(this.store.database, scope, SEPA.references(body));
    const unit = new Unit();
    const row = this.accounts.keep(unit, scope, { ...body, iban }, this.clock.now());
    await this.store.save(unit);
    return row;
  }

  async read(scope: AccountScope, id: string): Promise<SepaRow> {
    return present('sepa', id, await findRow(this.store.database, SEPA, scope, id));
  }

  async patch(scope: AccountScope, id: string, body: SepaPatch): Promise<SepaRow> {
    return this.store.decide(async (tx, unit) => {
      const row = present('sepa', id, await lockRow(tx, SEPA, scope, id));
      await checkReferences(tx, scope, SEPA.references(body));
      const changed = { ...row, ...SEPA.changes(body) };
      unit.change(SEPA, changed);
      return changed;
    });
  }

  /** Deletes a bank account. Debits that were already started continue; new debits are rejected. */
  async remove(scope: AccountScope, id: string): Promise<SepaRow> {
    return this.store.decide(async (tx, unit) => {
      const row = present('sepa', id, await lockRow(tx, SEPA, scope, id));
      const deleted = { ...row, deleted_at: this.clock.now() };
      unit.change(SEPA, deleted);
      return deleted;
    });
  }
}
