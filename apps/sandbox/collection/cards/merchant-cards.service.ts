import { Injectable } from '@nestjs/common';
import { conflict } from '../../api/api-error.js';
import { present } from '../../api/ids.js';
import { checkReferences } from '../../api/references.js';
import { SandboxClock } from '../../clock/sandbox-clock.js';
import type { AccountScope } from '../../storage/account-scope.js';
import { findRow, lockRow } from '../../storage/by-id.js';
import { violatedConstraint } from '../../storage/database.js';
import { patched } from '../../storage/patched.js';
import { Store } from '../../storage/store.js';
import { cardInBody, checkRenewal, type TypedCard } from './card-input.js';
import { type CardCreate, type CardPatch, type CardRow, CARDS } from './card-resource.js';
import { Cards, SAME_CARD } from './cards.service.js';

/** Creates, reads and changes cards for the API. Throws `ApiError`. */
@Injectable()
export class MerchantCards {
  constructor(
    private readonly store: Store,
    private readonly clock: SandboxClock,
    private readonly cards: Cards,
  ) {}

  /** Creates a card, or updates the existing card with the same number and expiry date. */
  async create(scope: AccountScope, body: CardCreate): Promise<CardRow> {
    const typed = cardInBody(body, this.clock.now());
    await checkReferences(this.store.database, scope, CARDS.references(body));
    try {
      return await this.keep(scope, typed, body);
    } catch (error) {
      // A concurrent request has inserted the same card: try again and find that card.
      if (violatedConstraint(error) !== SAME_CARD) throw error;
      return this.keep(scope, typed, body);
    }
  }

  async read(scope: AccountScope, id: string): Promise<CardRow> {
    return present('card', id, await findRow(this.store.database, CARDS, scope, id));
  }

  async patch(scope: AccountScope, id: string, body: CardPatch): Promise<CardRow> {
    checkRenewal(body, this.clock.now());
    try {
      return await this.change(scope, id, body);
    } catch (error) {
      if (violatedConstraint(error) !== SAME_CARD) throw error;
      throw conflict(
        'Another card has the same number and this expiry date: use that card, or delete it first',
      );
    }
  }

  async remove(scope: AccountScope, id: string): Promise<CardRow> {
    return this.store.decide(async (tx, unit) => {
      const row = present('card', id, await lockRow(tx, CARDS, scope, id));
      const removed = { ...row, deleted_at: this.clock.now() };
      unit.change(CARDS, removed);
      return removed;
    });
  }

  private async change(scope: AccountScope, id: string, body: CardPatch): Promise<CardRow> {
    return this.store.decide(async (tx, unit) => {
      const row = present('card', id, await lockRow(tx, CARDS, scope, id));
      await checkReferences(tx, scope, CARDS.references(body));
      const changed = patched(row, {
        ...CARDS.changes(body),
        network: body.preferred_network === null ? row.usual_network : body.preferred_network,
      });
      if (changed !== row) unit.change(CARDS, changed);
      return changed;
    });
  }

  private async keep(scope: AccountScope, typed: TypedCard, body: CardCreate): Promise<CardRow> {
    const given = {
      customer_id: body.customer ?? null,
      external_id: body.external_id ?? null,
      network: body.preferred_network ?? null,
      zip_code: body.zip_code ?? null,
    };
    // The fields that the body contains; all other fields stay unchanged.
    const said = {
      name: typed.name ?? undefined,
      customer_id: given.customer_id ?? undefined,
      external_id: given.external_id ?? undefined,
      network: given.network ?? undefined,
      zip_code: given.zip_code ?? undefined,
    };
    return this.store.decide(async (tx, unit) => {
      const card = await this.cards.findOrCreate(
        tx,
        unit,
        typed,
        { ...scope, ...given },
        this.clock.now(),
      );
      if (patched(card, said) === card) return card;
      const held = await lockRow(tx, CARDS, scope, card.id);
      const changed = patched(present('card', card.id, held), said);
      unit.change(CARDS, changed);
      return changed;
    });
  }
}
