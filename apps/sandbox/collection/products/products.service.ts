import { Injectable } from '@nestjs/common';
import { newId } from '#kernel';
import { present } from '../../api/ids.js';
import { SandboxClock } from '../../clock/sandbox-clock.js';
import { type AccountScope, scopeOf } from '../../storage/account-scope.js';
import { findRow, lockRow } from '../../storage/by-id.js';
import { patched } from '../../storage/patched.js';
import { Store } from '../../storage/store.js';
import { Unit } from '../../storage/unit.js';
import {
  type ProductCreate,
  type ProductPatch,
  type ProductRow,
  PRODUCTS,
} from './product-resource.js';

/** Products. A deleted product cannot be read; its prices remain. Throws `ApiError`. */
@Injectable()
export class Products {
  constructor(
    private readonly store: Store,
    private readonly clock: SandboxClock,
  ) {}

  async create(scope: AccountScope, body: ProductCreate): Promise<ProductRow> {
    const row: ProductRow = {
      id: newId('prod'),
      ...scopeOf(scope),
      ...PRODUCTS.given(body),
      created_at: this.clock.now(),
      deleted_at: null,
    };
    const unit = new Unit();
    unit.insert(PRODUCTS, row);
    unit.addEvent('product.created', scope, PRODUCTS.wire(row), row.created_at);
    await this.store.save(unit);
    return row;
  }

  async read(scope: AccountScope, id: string): Promise<ProductRow> {
    return present('prod', id, await findRow(this.store.database, PRODUCTS, scope, id));
  }

  /** Changes a product; a PATCH without a change sends no event. */
  async patch(scope: AccountScope, id: string, body: ProductPatch): Promise<ProductRow> {
    return this.store.decide(async (tx, unit) => {
      const row = present('prod', id, await lockRow(tx, PRODUCTS, scope, id));
      const changed = patched(row, PRODUCTS.changes(body));
      if (changed === row) return row;
      unit.change(PRODUCTS, changed);
      unit.addEvent('product.updated', scope, PRODUCTS.wire(changed), this.clock.now());
      return changed;
    });
  }

  async remove(scope: AccountScope, id: string): Promise<ProductRow> {
    return this.store.decide(async (tx, unit) => {
      const row = present('prod', id, await lockRow(tx, PRODUCTS, scope, id));
      const now = this.clock.now();
      const removed = { ...row, deleted_at: now };
      unit.change(PRODUCTS, removed);
      unit.addEvent('product.deleted', scope, PRODUCTS.wire(removed), now);
      return removed;
    });
  }
}
