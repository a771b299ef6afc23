import { Injectable } from '@nestjs/common';
import { newId } from '#kernel';
import { SandboxClock } from '../clock/sandbox-clock.js';
import { violatedConstraint } from '../database/database.js';
import type { IntentRow } from '../database/rows.js';
import { Store } from '../database/store.js';
import { Unit } from '../database/unit.js';
import { conflict, invalid, notFound } from '../http/api-error.js';
import { type Aggregate, lockAggregate } from './aggregate.js';
import { type IntentCreate, type IntentPatch, methodsOf } from './intent-schemas.js';
import { intentMachine } from './states.js';
import { type Attempt, isOverdue, Transitions } from './transitions.js';

const BY_ID = {
  name: 'intent:by-id',
  text: 'SELECT * FROM payment_intents WHERE id = $1 AND live = $2',
};
const BY_UNIQUE_ID = {
  name: 'intent:by-unique-id',
  text: 'SELECT id FROM payment_intents WHERE live = $1 AND unique_id = $2',
};
const REFERENCES = {
  name: 'intent:references',
  text: `SELECT
    EXISTS (SELECT FROM customers WHERE id = $1 AND live = $3 AND deleted_at IS NULL) AS customer,
    EXISTS (SELECT FROM cards WHERE id = $2 AND live = $3 AND deleted_at IS NULL) AS card`,
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
    await this.checkReferences(row);
    const unit = new Unit();
    unit.insert('payment_intents', row);
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
    const [row] = await this.store.database.query<IntentRow>(BY_ID, [id, live]);
    if (row === undefined) throw notFound('Payment intent', id);
    return row;
  }

  async patch(live: boolean, id: string, body: IntentPatch): Promise<IntentRow> {
    return this.store.decide(async (tx, unit) => {
      const { intent } = this.known(live, id, await lockAggregate(tx, id));
      if (!intent.status.startsWith('require_')) {
        throw conflict(`Payment intent is ${intent.status}: it can no longer be changed`);
      }
      const changed = { ...intent, ...body };
      unit.changeIntent(changed);
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
    if (found === null || found.intent.live !== live) throw notFound('Payment intent', id);
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
      created_at: this.clock.now(),
    };
  }

  /** Mandates and addresses are not made yet, so a reference to one always leads nowhere. */
  private async checkReferences(row: IntentRow): Promise<void> {
    const { customer_id: customer, card_id: card, live } = row;
    const found = { customer: true, card: true };
    if (customer !== null || card !== null) {
      const rows = await this.store.database.query<typeof found>(
        REFERENCES, [customer, card, live],
      );
      Object.assign(found, rows[0]);
    }
    const missing = [
      ...(customer !== null && !found.customer ? [['customer', customer]] : []),
      ...(card !== null && !found.card ? [['card', card]] : []),
      ...(row.sepa_id === null ? [] : [['sepa', row.sepa_id]]),
      ...(row.billing_address === null ? [] : [['billing_address', row.billing_address]]),
      ...(row.shipping_address === null ? [] : [['shipping_address', row.shipping_address]]),
    ] as const;
    if (missing.length === 0) return;
    throw invalid(
      ...missing.map(([name = '', id = '']) => ({
        loc: ['body', name], msg: `\`${id}\` not found`, type: 'value_error',
      })),
    );
  }
}
