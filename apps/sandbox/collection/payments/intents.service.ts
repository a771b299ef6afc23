import { Injectable } from '@nestjs/common';
import { type Instant, newId } from '#kernel';
import { conflict } from '../../api/api-error.js';
import { noSuch, present } from '../../api/ids.js';
import { checkReferences } from '../../api/references.js';
import { SandboxClock } from '../../clock/sandbox-clock.js';
import { type AccountScope, isSameScope, scopeOf } from '../../storage/account-scope.js';
import { findRow } from '../../storage/by-id.js';
import type { Transaction } from '../../storage/database.js';
import { patched } from '../../storage/patched.js';
import { Store } from '../../storage/store.js';
import { Unit } from '../../storage/unit.js';
import { CARDS } from '../cards/card-resource.js';
import { withdrawCodesOf } from '../mandates/signing-codes.js';
import { type Aggregate, lockAggregate, takeAggregate } from './aggregate.js';
import { ApiAttempts } from './api-attempts.js';
import { Debits } from './debits.js';
import { checkCancel, checkCapture, isCaptureRequested } from './guards.js';
import {
  changesAttempt,
  checkedMethods,
  checkOneMeans,
  columnsOf,
  methodsOf,
} from './intent-changes.js';
import { type IntentCreate, type IntentPatch, type IntentRow, INTENTS } from './intent-resource.js';
import { intentMachine, acceptsAttempt } from './states.js';
import { type Attempt, Transitions } from './transitions.js';
import { withUniqueId } from './unique-ids.js';
import { withdrawCodesIfPaid } from './withdraw-codes.js';

/** Payment intents in the API. Throws `ApiError`. */
@Injectable()
export class Intents {
  constructor(
    private readonly store: Store,
    private readonly clock: SandboxClock,
    private readonly transitions: Transitions,
    private readonly attempts: ApiAttempts,
    private readonly debits: Debits,
  ) {}

  async create(scope: AccountScope, body: IntentCreate): Promise<IntentRow> {
    const row = this.newIntent(scope, body);
    await checkReferences(this.store.database, scope, INTENTS.references(body));
    const unit = new Unit();
    unit.insert(INTENTS, row);
    this.transitions.addIntentEvent(unit, 'payment_intent.created', row, row.created_at);
    const { database } = this.store;
    await withUniqueId(database, scope, row.unique_id, () => this.store.save(unit));
    return row;
  }

  async read(scope: AccountScope, id: string): Promise<IntentRow> {
    const row = await findRow(this.store.database, INTENTS, scope, id);
    if (row === null || row.single_call) throw noSuch('pi', id);
    return row;
  }

  /**
   * Changes an intent, which is allowed only while nothing is authorized. A change that contains a
   * card or a bank account also starts a payment attempt.
   */
  async patch(scope: AccountScope, id: string, body: IntentPatch): Promise<IntentRow> {
    checkOneMeans(body);
    await checkReferences(this.store.database, scope, INTENTS.references(body));
    return withUniqueId(this.store.database, scope, body.unique_id ?? null, () =>
      this.store.decide(async (tx, unit) => {
        const held = this.foundAggregate(scope, id, await lockAggregate(tx, id));
        if (!acceptsAttempt(held.intent.status)) {
          throw conflict(`Payment intent is ${held.intent.status}: it can no longer be changed`);
        }
        const now = this.clock.now();
        const changed = await this.change(tx, unit, held, body, now);
        const intent = await this.attempt(tx, unit, { ...held, intent: changed }, body, now);
        await withdrawCodesIfPaid(tx, unit, intent);
        if (changed !== held.intent) {
          this.transitions.addIntentEvent(unit, 'payment_intent.updated', intent, now);
        }
        return intent;
      }),
    );
  }

  async capture(scope: AccountScope, id: string): Promise<Attempt['intent']> {
    return this.store.decideUnlocked(async (tx, unit) => {
      const { intent, payment } = this.foundAggregate(scope, id, await takeAggregate(tx, unit, id));
      if (isCaptureRequested(intent)) return intent;
      if (payment === null || !intentMachine.can(intent.status, 'capture')) {
        throw conflict(
          `Payment intent is ${intent.status}: only an authorized payment can be captured`,
        );
      }
      if (intent.capture) {
        throw conflict('Payment intent was created with capture=true: the API does not capture it');
      }
      const now = this.clock.now();
      checkCapture(payment, now);
      return this.transitions.capture(unit, { intent, payment }, now).intent;
    });
  }

  async cancel(scope: AccountScope, id: string): Promise<IntentRow> {
    return this.store.decide(async (tx, unit) => {
      const aggregate = this.foundAggregate(scope, id, await lockAggregate(tx, id));
      if (aggregate.intent.status === 'canceled') return aggregate.intent;
      const now = this.clock.now();
      checkCancel(aggregate, now);
      await withdrawCodesOf(tx, unit, id);
      return this.transitions.cancel(unit, aggregate, now).intent;
    });
  }

  /**
   * Ends the payer's pending approval (at the bank, or by signing code) when the PATCH changes what
   * the payer is approving.
   */
  private async change(
    tx: Transaction,
    unit: Unit,
    held: Aggregate,
    body: IntentPatch,
    now: Instant,
  ): Promise<IntentRow> {
    const columns = columnsOf(held.intent, body);
    const isOther = changesAttempt(held, columns);
    const acceptsDebit = columns.methods_allowed.includes('sepa');
    if (isOther || !acceptsDebit) await withdrawCodesOf(tx, unit, held.intent.id);
    const intent = isOther ? this.transitions.free(unit, held, now) : held.intent;
    const changed = patched(intent, columns);
    if (changed !== intent) unit.change(INTENTS, changed);
    return changed;
  }

  private async attempt(
    tx: Transaction,
    unit: Unit,
    held: Aggregate,
    { card, sepa }: IntentPatch,
    now: Instant,
  ): Promise<IntentRow> {
    if (card !== undefined && card !== null) {
      const row = present('card', card, await findRow(tx, CARDS, held.intent, card));
      return (await this.attempts.begin(tx, unit, held, row, now)).intent;
    }
    if (sepa !== undefined && sepa !== null) {
      return (await this.debits.reuse(tx, unit, held, sepa, now)).intent;
    }
    return held.intent;
  }

  private foundAggregate(scope: AccountScope, id: string, found: Aggregate | null): Aggregate {
    const hidden = found === null || !isSameScope(found.intent, scope) || found.intent.single_call;
    if (hidden) throw noSuch('pi', id);
    return found;
  }

  private newIntent(scope: AccountScope, body: IntentCreate): IntentRow {
    const currency = body.currency ?? 'eur';
    const methods = checkedMethods(methodsOf(body.methods_allowed, currency), currency);
    return {
      id: newId('pi'),
      ...scopeOf(scope),
      ...INTENTS.given(body),
      status: 'require_payment_method',
      currency,
      capture: body.capture ?? true,
      methods_allowed: methods,
      payment_id: null,
      single_call: false,
      created_at: this.clock.now(),
    };
  }
}
