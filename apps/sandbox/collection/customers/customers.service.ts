import { Injectable } from '@nestjs/common';
import { type Instant, newId } from '#kernel';
import { invalid } from '../../api/api-error.js';
import { present } from '../../api/ids.js';
import { checkReferences } from '../../api/references.js';
import { SandboxClock } from '../../clock/sandbox-clock.js';
import { type AccountScope, scopeOf } from '../../storage/account-scope.js';
import { findRow, lockRow } from '../../storage/by-id.js';
import type { Database, Transaction } from '../../storage/database.js';
import { patched } from '../../storage/patched.js';
import { Store } from '../../storage/store.js';
import { Unit } from '../../storage/unit.js';
import { customerResource } from './customer-resource.js';
import { type CustomerRow, CUSTOMERS } from './customer-row.js';
import type { CustomerFields } from './customer-schemas.js';

/** What ends with a customer, whose row is locked: it is written into the same unit. */
type Ending = (tx: Transaction, unit: Unit, customerId: string, now: Instant) => Promise<void>;

/** Payers as merchants know them. A change of one is not told by an event. Throws `ApiError`. */
@Injectable()
export class Customers {
  private readonly endings: Ending[] = [];

  constructor(
    private readonly store: Store,
    private readonly clock: SandboxClock,
  ) {}

  /** What stands above customers and ends with them. */
  endWith(ending: Ending): void {
    this.endings.push(ending);
  }

  async create(scope: AccountScope, body: CustomerFields): Promise<CustomerRow> {
    const row: CustomerRow = {
      id: newId('cust'), ...scopeOf(scope), email: body.email ?? null, mobile: body.mobile ?? null,
      name: body.name ?? null, date_birth: body.date_birth ?? null,
      legal_id: body.legal_id ?? null, country: body.country ?? null,
      external_id: body.external_id ?? null, billing_address: body.billing_address ?? null,
      shipping_address: body.shipping_address ?? null, created_at: this.clock.now(),
      deleted_at: null,
    };
    await checkAddresses(this.store.database, scope, body);
    const unit = new Unit();
    unit.insert(CUSTOMERS, row);
    unit.tell('customer.created', scope, customerResource(row), row.created_at);
    await this.store.save(unit);
    return row;
  }

  async read(scope: AccountScope, id: string): Promise<CustomerRow> {
    return present('cust', id, await findRow(this.store.database, CUSTOMERS, scope, id));
  }

  async patch(scope: AccountScope, id: string, body: CustomerFields): Promise<CustomerRow> {
    return this.store.decide(async (tx, unit) => {
      const row = present('cust', id, await lockRow(tx, CUSTOMERS, scope, id));
      await checkAddresses(tx, scope, body);
      const changed = patched(row, body);
      if (changed.email === null && changed.mobile === null) {
        const msg = 'Input should leave the customer an email or a mobile';
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
      unit.tell('customer.deleted', scope, customerResource(removed), now);
      return removed;
    });
  }
}

const checkAddresses = (
  database: Database | Transaction,
  scope: AccountScope,
  { billing_address: billing, shipping_address: shipping }: CustomerFields,
): Promise<void> =>
  checkReferences(database, scope, [
    ['billing_address', billing ?? null],
    ['shipping_address', shipping ?? null],
  ]);
