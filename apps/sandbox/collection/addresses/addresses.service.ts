import { Injectable } from '@nestjs/common';
import { newId } from '#kernel';
import { conflict } from '../../api/api-error.js';
import { noSuch } from '../../api/ids.js';
import { SandboxClock } from '../../clock/sandbox-clock.js';
import { type AccountScope, scopeOf } from '../../storage/account-scope.js';
import { findRow, lockRow } from '../../storage/by-id.js';
import { patched } from '../../storage/patched.js';
import { Store } from '../../storage/store.js';
import { Unit } from '../../storage/unit.js';
import {
  type AddressCreate,
  ADDRESSES,
  type AddressPatch,
  type AddressRow,
} from './address-resource.js';

const foundRow = (id: string, row: AddressRow | null): AddressRow => {
  if (row === null) throw noSuch('addr', id);
  return row;
};

/**
 * Addresses of customers and payment intents. A deleted address can still be read, but new
 * references to it are rejected. Addresses have no events. Throws `ApiError`.
 */
@Injectable()
export class Addresses {
  constructor(
    private readonly store: Store,
    private readonly clock: SandboxClock,
  ) {}

  async create(scope: AccountScope, body: AddressCreate): Promise<AddressRow> {
    const row: AddressRow = {
      id: newId('addr'),
      ...scopeOf(scope),
      ...ADDRESSES.given(body),
      created_at: this.clock.now(),
      deleted_at: null,
    };
    const unit = new Unit();
    unit.insert(ADDRESSES, row);
    await this.store.save(unit);
    return row;
  }

  async read(scope: AccountScope, id: string): Promise<AddressRow> {
    return foundRow(id, await findRow(this.store.database, ADDRESSES, scope, id));
  }

  async patch(scope: AccountScope, id: string, body: AddressPatch): Promise<AddressRow> {
    return this.store.decide(async (tx, unit) => {
      const row = foundRow(id, await lockRow(tx, ADDRESSES, scope, id));
      if (row.deleted_at !== null)
        throw conflict('Address was deleted: it can no longer be changed');
      const changed = patched(row, ADDRESSES.changes(body));
      if (changed !== row) unit.change(ADDRESSES, changed);
      return changed;
    });
  }

  /** Idempotent. */
  async remove(scope: AccountScope, id: string): Promise<AddressRow> {
    return this.store.decide(async (tx, unit) => {
      const row = foundRow(id, await lockRow(tx, ADDRESSES, scope, id));
      if (row.deleted_at !== null) return row;
      const removed = { ...row, deleted_at: this.clock.now() };
      unit.change(ADDRESSES, removed);
      return removed;
    });
  }
}
