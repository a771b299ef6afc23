import { Injectable } from '@nestjs/common';
import { newId } from '#kernel';
import { SandboxClock } from '../clock/sandbox-clock.js';
import { findRow } from '../database/by-id.js';
import { violatedConstraint } from '../database/database.js';
import { Store } from '../database/store.js';
import { Unit } from '../database/unit.js';
import { conflict, invalid } from '../http/api-error.js';
import { noSuch } from '../http/ids.js';
import { checkReferences } from '../http/references.js';
import { type Aggregate, lockAggregate } from './aggregate.js';
import { INTENTS, type IntentRow } from './intent-row.js';
import { type IntentCreate, type IntentPatch, methodsOf } from './intent-schemas.js';
import { intentMachine, takesAttempt } from './states.js';
import { type Attempt, isOverdue, Transitions } from './transitions.js';

const BY_UNIQUE_ID = {
  name: 'intent:by-unique-id',
  text: 'SELECT id FROM payment_intents WHERE live = $1 AND unique_id = $2',
};
/** Statuses in which a capture has already been asked for: asking again changes nothing. */
const CAPTURE_ASKED: ReadonlySet<string> = new Set(['to_capture', 'capture_sent', 'captured']);

/** What the API does with payment intents. Throws `ApiError`. */
@Injectable()
export class Intents {
  constructor(
    private readonly store: Store,
    private readonly clock: SandboxClock,
    private readonly transitions: Transitions,
  ) {}

  async create(live: boolean, body: IntentCreate): Promise<IntentRow> {
    const row = this.newIntent(live, body);
    await checkReferences(this.store.database, live, [
      ['customer', row.customer_id],
      ['card', row.card_id],
      ['sepa', row.sepa_id],
      ['billing_address', row.billing_address],
      ['shipping_address', row.shipping_address],
    ]);
    const unit = new Unit();
    unit.insert(INTENTS, row);
    this.transitions.tellIntent(unit, 'payment_intent.created', row, row.created_at);
    try {
      await this.store.save(unit);
    } catch (error) {
      if (violatedConstraint(error) !== 'payment_intents_unique_id') throw error;
      const [used] = await this.store.database.query<{ id: string }>(
        BY_UNIQUE_ID, [live, row.unique_id],
      );
      throw conflict(`unique_id \`${row.unique_id}\` is used by payment intent \`${used?.id}\``);
    }
    return row;
  }

  async read(live: boolean, id: string): Promise<IntentRow> {
    const row = await findRow(this.store.database, INTENTS, live, id);
    if (row === null || row.single_call) throw noSuch('pi', id);
    return row;
  }

  async patch(live: boolean, id: string, body: IntentPatch): Promise<IntentRow> {
    return this.store.decide(async (tx, unit) => {
      const { intent } = this.known(live, id, await lockAggregate(tx, id));
      if (!takesAttempt(intent.status)) {
        throw conflict(`Payment intent is ${intent.status}: it can no longer be changed`);
      }
      const changed = { ...intent, ...body };
      unit.change(INTENTS, changed);
      const now = this.clock.now();
      this.transitions.tellIntent(unit, 'payment_intent.updated', changed, now);
      return changed;
    });
  }

  async capture(live: boolean, id: string): Promise<Attempt['intent']> {
    return this.store.decide(async (tx, unit) => {
      const { intent, payment } = this.known(live, id, await lockAggregate(tx, id));
      if (CAPTURE_ASKED.has(intent.status)) return intent;
      if (payment === null || !intentMachine.can(intent.status, 'capture')) {
        throw conflict(`Payment intent is ${intent.status}: only an authorized one is captured`);
      }
      if (intent.capture) {
        throw conflict('Payment intent was created with capture=true: the API does not capture it');
      }
      const now = this.clock.now();
      if (isOverdue(payment, now)) throw conflict('The authorization has expired');
      return this.transitions.capture(unit, { intent, payment }, now).intent;
    });
  }

  async cancel(live: boolean, id: string): Promise<IntentRow> {
    return this.store.decide(async (tx, unit) => {
      const aggregate = this.known(live, id, await lockAggregate(tx, id));
      const { status } = aggregate.intent;
      if (status === 'canceled') return aggregate.intent;
      if (!intentMachine.can(status, 'cancel')) {
        throw conflict(`Payment intent is ${status}: it can no longer be canceled`);
      }
      return this.transitions.cancel(unit, aggregate, this.clock.now()).intent;
    });
  }

  private known(live: boolean, id: string, found: Aggregate | null): Aggregate {
    const hidden = found === null || found.intent.live !== live || found.intent.single_call;
    if (hidden) throw noSuch('pi', id);
    return found;
  }

  private newIntent(live: boolean, body: IntentCreate): IntentRow {
    const currency = body.currency ?? 'eur';
    const methods = methodsOf(body.methods_allowed, currency);
    if (methods.includes('sepa') && currency !== 'eur') {
      const msg = 'Input should not allow sepa: it takes eur only';
      throw invalid({ loc: ['body', 'methods_allowed'], msg, type: 'value_error' });
    }
    return {
      id: newId('pi'),
      live,
      status: 'require_payment_method',
      amount: body.amount,
      currency,
      capture: body.capture ?? true,
      methods_allowed: methods,
      threeds: body.threeds ?? null,
      description: body.description ?? null,
      customer_id: body.customer ?? null,
      card_id: body.card ?? null,
      sepa_id: body.sepa ?? null,
      order_id: body.order_id ?? null,
      unique_id: body.unique_id ?? null,
      return_url: body.return_url ?? null,
      date_settlement: body.date_settlement ?? null,
      metadata: body.metadata ?? null,
      billing_address: body.billing_address ?? null,
      shipping_address: body.shipping_address ?? null,
      payment_id: null,
      single_call: false,
      created_at: this.clock.now(),
    };
  }
}
