import { Injectable } from '@nestjs/common';
import { type Instant, newId } from '#kernel';
import { invalid } from '../../api/api-error.js';
import { present } from '../../api/ids.js';
import { checkReferences } from '../../api/references.js';
import { SandboxClock } from '../../clock/sandbox-clock.js';
import { type AccountScope, scopeOf } from '../../storage/account-scope.js';
import { findRow, lockRow } from '../../storage/by-id.js';
import type { Transaction } from '../../storage/database.js';
import { patched } from '../../storage/patched.js';
import { Store } from '../../storage/store.js';
import { Unit } from '../../storage/unit.js';
import { type CustomerFields, type CustomerRow, CUSTOMERS } from './customer-resource.js';

/**
 * A module's callback that adds changes to the unit of work in which a customer is deleted. It runs
 * under the customer's lock.
 */
type Ending = (tx: Transaction, unit: Unit, customerId: string, now: Instant) => Promise<void>;

/** Merchants' customers. A change of a customer sends no event. Throws `ApiError`. */
@Injectable()
export class Customers {
  private readonly endings: Ending[] = [];

  constructor(
    private readonly store: Store,
    private readonly clock: SandboxClock,
  ) {}

  /** Registers a callback for customer deletions. */
  endWith(ending: Ending): void {
    this.endings.push(ending);
  }

  async create(scope: AccountScope, body: CustomerFields): Promise<CustomerRow> {
    const row: CustomerRow = {
      id: newId('cust'),
      ...scopeOf(scope),
      ...CUSTOMERS.given(body),
      created_at: this.clock.now(),
      deleted_at: null,
    };
    await checkReferences(this.store.database, scope, CUSTOMERS.references(body));
    const unit = new Unit();
    unit.insert(CUSTOMERS, row);
    unit.addEvent('customer.created', scope, CUSTOMERS.wire(row), row.created_at);
    await this.store.save(unit);
    return row;
  }

  async read(scope: AccountScope, id: string): Promise<CustomerRow> {
    return present('cust', id, await findRow(this.store.database, CUSTOMERS, scope, id));
  }

  async patch(scope: AccountScope, id: string, body: CustomerFields): Promise<CustomerRow> {
    return this.store.decide(async (tx, unit) => {
      const row = present('cust', id, await lockRow(tx, CUSTOMERS, scope, id));
      await checkReferences(tx, scope, CUSTOMERS.references(body));
      const changed = patched(row, CUSTOMERS.changes(body));
      if (changed.email === null && changed.mobile === null) {
        const msg =
          'Input should leave the customer an `email` or a `mobile`: only one of them may be null';
        throw invalid({ loc: ['body'], msg, type: 'value_error' });
      }
      if (changed !== row) unit.change(CUSTOMERS, changed);
      return changed;
    });
  }

  async remove(scope: AccountScope, id: string): Promise<CustomerRow> {
    return this.store.decide(async (tx, unit) => {
      const row = present('cust', id, await lockRow(tx, CUSTOMERS, scope, id));
      const now = this.clock.now();
      for (const end of this.endings) await end(tx, unit, id, now);
      const removed = { ...row, deleted_at: now };
      unit.change(CUSTOMERS, removed);
      unit.addEvent('customer.deleted', scope, CUSTOMERS.wire(removed), now);
      return removed;
    });
  }
}
