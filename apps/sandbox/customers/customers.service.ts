import { Injectable } from '@nestjs/common';
import { newId } from '#kernel';
import { type AccountScope, scopeOf } from '../account-scope.js';
import { SandboxClock } from '../clock/sandbox-clock.js';
import { findRow, lockRow } from '../database/by-id.js';
import type { Database, Transaction } from '../database/database.js';
import { patched } from '../database/patched.js';
import { Store } from '../database/store.js';
import { Unit } from '../database/unit.js';
import { invalid } from '../http/api-error.js';
import { present } from '../http/ids.js';
import { checkReferences } from '../http/references.js';
import { Resources } from '../resources.js';
import { Subscriptions } from '../subscriptions/subscriptions.service.js';
import { type CustomerRow, CUSTOMERS } from './customer-row.js';
import type { CustomerFields } from './customer-schemas.js';

/** Payers as merchants know them. A change of one is not told by an event. Throws `ApiError`. */
@Injectable()
export class Customers {
  constructor(
    private readonly store: Store,
    private readonly clock: SandboxClock,
    private readonly resources: Resources,
    private readonly subscriptions: Subscriptions,
  ) {}

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
    unit.tell('customer.created', scope, this.resources.customer(row), row.created_at);
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

  /** Nobody pays for what a deleted customer subscribed to: it is canceled. */
  async remove(scope: AccountScope, id: string): Promise<CustomerRow> {
    return this.store.decide(async (tx, unit) => {
      const row = present('cust', id, await lockRow(tx, CUSTOMERS, scope, id));
      const now = this.clock.now();
      await this.subscriptions.cancelAllOf(tx, unit, id, now);
      const removed = { ...row, deleted_at: now };
      unit.change(CUSTOMERS, removed);
      unit.tell('customer.deleted', scope, this.resources.customer(removed), now);
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
