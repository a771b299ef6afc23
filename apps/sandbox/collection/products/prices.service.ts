import { Injectable } from '@nestjs/common';
import { newId } from '#kernel';
import { invalid } from '../../api/api-error.js';
import { present } from '../../api/ids.js';
import { checkReferences } from '../../api/references.js';
import { SandboxClock } from '../../clock/sandbox-clock.js';
import { type AccountScope, scopeOf } from '../../storage/account-scope.js';
import { findRow, lockRow } from '../../storage/by-id.js';
import { patched } from '../../storage/patched.js';
import { Store } from '../../storage/store.js';
import { Unit } from '../../storage/unit.js';
import { type PriceCreate, type PricePatch, type PriceRow, PRICES } from './price-resource.js';

/**
 * Sets `interval_count` to 1 when only an interval is given. Throws `ApiError` 422 for a count
 * without an interval.
 */
const counted = (row: PriceRow): PriceRow => {
  if (row.interval !== null) return { ...row, interval_count: row.interval_count ?? 1 };
  if (row.interval_count === null) return row;
  const msg = 'Input should be null without an `interval`';
  throw invalid({ loc: ['body', 'interval_count'], msg, type: 'value_error' });
};

/**
 * Prices of products, one-time or recurring. A change or deletion applies to later payments and to
 * new subscriptions; a deleted price is still billed to existing subscriptions. Throws `ApiError`.
 */
@Injectable()
export class Prices {
  constructor(
    private readonly store: Store,
    private readonly clock: SandboxClock,
  ) {}

  async create(scope: AccountScope, body: PriceCreate): Promise<PriceRow> {
    const row = counted({
      id: newId('price'),
      ...scopeOf(scope),
      ...PRICES.given(body),
      currency: body.currency ?? 'eur',
      created_at: this.clock.now(),
      deleted_at: null,
    });
    await checkReferences(this.store.database, scope, PRICES.references(body));
    const unit = new Unit();
    unit.insert(PRICES, row);
    unit.addEvent('price.created', scope, PRICES.wire(row), row.created_at);
    await this.store.save(unit);
    return row;
  }

  async read(scope: AccountScope, id: string): Promise<PriceRow> {
    return present('price', id, await findRow(this.store.database, PRICES, scope, id));
  }

  /** Changes a price; a PATCH without a change sends no event. */
  async patch(scope: AccountScope, id: string, body: PricePatch): Promise<PriceRow> {
    return this.store.decide(async (tx, unit) => {
      const row = present('price', id, await lockRow(tx, PRICES, scope, id));
      const once = body.interval === null && body.interval_count === undefined;
      const changed = patched(
        row,
        counted({
          ...patched(row, PRICES.changes(body)),
          ...(once ? { interval_count: null } : {}),
        }),
      );
      if (changed === row) return row;
      unit.change(PRICES, changed);
      unit.addEvent('price.updated', scope, PRICES.wire(changed), this.clock.now());
      return changed;
    });
  }

  async remove(scope: AccountScope, id: string): Promise<PriceRow> {
    return this.store.decide(async (tx, unit) => {
      const row = present('price', id, await lockRow(tx, PRICES, scope, id));
      const now = this.clock.now();
      const removed = { ...row, deleted_at: now };
      unit.change(PRICES, removed);
      unit.addEvent('price.deleted', scope, PRICES.wire(removed), now);
      return removed;
    });
  }
}
