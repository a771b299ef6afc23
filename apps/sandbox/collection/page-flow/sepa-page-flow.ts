import { Injectable } from '@nestjs/common';
import { assert, Rejection } from '#kernel';
import { isId } from '../../api/ids.js';
import { SandboxClock } from '../../clock/sandbox-clock.js';
import type { Database, Transaction } from '../../storage/database.js';
import { MerchantNames } from '../../storage/merchant-names.js';
import { Store } from '../../storage/store.js';
import { payerResponse } from '../banks/response-codes.js';
import { type AccountInput, readAccount } from '../mandates/account-input.js';
import { type MandateRow, MANDATES } from '../mandates/mandate-resource.js';
import { MandateResources } from '../mandates/mandate-resources.js';
import { deleteMandate, newMandate, signMandate } from '../mandates/mandate-signing.js';
import { signedForm } from '../mandates/signed-form.js';
import { type CodeTry, SigningCodes } from '../mandates/signing-codes.js';
import { type Aggregate, lockAggregate } from '../payments/aggregate.js';
import { Debits } from '../payments/debits.js';
import type { IntentRow } from '../payments/intent-resource.js';
import { type PaymentStatus, acceptsAttempt } from '../payments/states.js';
import { Accounts } from '../sepa/accounts.js';
import { SEPA, type SepaRow } from '../sepa/sepa-resource.js';
import { checkShown, type ShownAmount } from './shown-amount.js';

/** The latest mandate created by the page of a payment, with the status of its debit. */
const MANDATE_OF_INTENT = {
  name: 'page:mandate',
  text: `SELECT m.*, p.status AS debit_status FROM mandates m
         JOIN payment_intents i ON i.id = m.intent_id
         LEFT JOIN payments p ON p.id = i.payment_id AND p.mandate_id = m.id
         WHERE m.intent_id = $1 AND m.status <> 'deleted'
         ORDER BY m.created_at DESC, m.seq DESC LIMIT 1`,
};
/** Selects and locks a mandate, so that it cannot be deleted while it is signed or replaced. */
const LOCK_MANDATE = {
  name: 'page:mandate-lock',
  text: `SELECT * FROM mandates WHERE intent_id = $1 AND status <> 'deleted'
         ORDER BY created_at DESC, seq DESC LIMIT 1 FOR NO KEY UPDATE`,
};
const SEPA_BY_ID = { name: 'page:sepa', text: `SELECT * FROM ${SEPA.name} WHERE id = $1` };

interface PageMandate extends MandateRow {
  /** The status of the intent's latest payment; null when this payment did not use the mandate. */
  readonly debit_status: PaymentStatus | null;
}

/** A mandate awaiting its code, as shown on the page. */
export interface Signing {
  readonly phoneLast4: string;
  readonly ibanLast4: string;
  readonly ibanCountry: string;
}

/** A mandate awaiting its code, for the browser that has entered its bank account. */
export interface NewSigning extends Signing {
  /** The path of the document, which can be read after the signature. */
  readonly documentPath: string;
}

/** The mandate of the payment, as the page shows it. */
export interface SepaView {
  readonly signing: Signing | null;
  /** Whether the intent's latest attempt was a direct debit that was refused. */
  readonly isRefused: boolean;
}

const NO_SEPA: SepaView = { signing: null, isRefused: false };

export type SignOutcome =
  | Exclude<CodeTry, { readonly result: 'right' }>
  /**
   * The signature succeeded. Only this response and the one to the entered bank account include the
   * path of the signed document: the document contains the payer's name and bank account, and
   * persons other than the payer may know the URL of the payment page.
   */
  | { readonly result: 'signed'; readonly documentPath: string }
  /** The mandate is signed, but the bank account cannot be debited: code and reason are masked. */
  | { readonly result: 'refused'; readonly code: string; readonly reason: string };

/** The payment whose mandate a code signs, as the message with the code describes it. */
interface SignedPayment extends ShownAmount {
  readonly merchant: string;
}

/** The text of the message with a code. */
export type CodeMessage = (code: string, signed: SignedPayment) => string;

const notFound = (): Rejection => new Rejection('not_found', 'the payment is not known');
const signingOver = (): Rejection =>
  new Rejection('signing_over', 'no mandate is waiting for a code');

const documentPath = ({ sign_token: token }: MandateRow): string =>
  `/mandates/${token}/document.pdf`;

const signingOf = (sepa: SepaRow, mandate: MandateRow): Signing => ({
  phoneLast4: mandate.phone_last4 ?? '',
  ibanLast4: sepa.last4,
  ibanCountry: sepa.country,
});

/**
 * The payer's flow on the page for a direct debit: bank account, code, signature. Runs under
 * the locks of the intent and then of its mandate. Throws `Rejection`:
 * - `not_found`: no such intent.
 * - `not_payable`: the intent does not accept a direct debit, or no longer does.
 * - `changed`: the payer saw another amount than the intent has now. Nothing was stored.
 * - `invalid_account`: `details.field` is `name`, `iban` or `phone`. Nothing was stored.
 * - `signing_over`: no mandate is waiting for a code.
 */
@Injectable()
export class SepaPageFlow {
  constructor(
    private readonly store: Store,
    private readonly names: MerchantNames,
    private readonly clock: SandboxClock,
    private readonly accounts: Accounts,
    private readonly debits: Debits,
    private readonly codes: SigningCodes,
    private readonly resources: MandateResources,
  ) {}

  async view(intentId: string): Promise<SepaView> {
    const { database } = this.store;
    const mandate = isId('pi', intentId) ? await this.mandateOf(intentId) : null;
    if (mandate === null) return NO_SEPA;
    const { status, debit_status: debit } = mandate;
    if (debit === 'refused') return { ...NO_SEPA, isRefused: true };
    if (debit !== null || status === 'signed') return NO_SEPA;
    const [code, sepa] = await Promise.all([
      this.codes.latest(database, mandate),
      this.sepaOf(database, mandate),
    ]);
    const isOpen = code?.status === 'open' && code.expires_at > this.clock.now();
    return { ...NO_SEPA, signing: isOpen ? signingOf(sepa, mandate) : null };
  }

  /**
   * Creates the mandate and sends the code; an earlier unsigned mandate of the intent is deleted. The
   * path of the document is returned already, because the response to the signature may be lost.
   */
  async submitAccount(
    intentId: string,
    input: AccountInput,
    message: CodeMessage,
    shown: ShownAmount | null,
  ): Promise<NewSigning> {
    const typed = readAccount(input);
    return this.store.decide(async (tx, unit) => {
      const { intent } = await this.held(tx, intentId, shown);
      const now = this.clock.now();
      const before = await lockMandate(tx, intentId);
      if (before?.status === 'unsigned') {
        await this.codes.withdraw(tx, unit, before);
        deleteMandate(unit, before, now);
      }
      const sepa = this.accounts.keep(
        unit,
        intent,
        { ...typed, customer: intent.customer_id },
        now,
      );
      const phoneLast4 = typed.phone.slice(-4);
      const mandate = newMandate(
        sepa,
        { origin: 'page', intent_id: intent.id, rum: null, phone_last4: phoneLast4 },
        now,
      );
      unit.insert(MANDATES, mandate);
      unit.addEvent('mandate.created', mandate, this.resources.mandate(mandate), now);
      const text = await this.codeText(tx, intent, message);
      this.codes.send(unit, mandate, { phone: typed.phone, text, before: null }, now);
      return { ...signingOf(sepa, mandate), documentPath: documentPath(mandate) };
    });
  }

  /** Sends a new code to the same telephone number; the previous code becomes invalid. */
  async sendAgain(
    intentId: string,
    message: CodeMessage,
    shown: ShownAmount | null,
  ): Promise<Signing> {
    return this.store.decide(async (tx, unit) => {
      const { intent } = await this.held(tx, intentId, shown);
      const mandate = await lockMandate(tx, intentId);
      if (mandate?.status !== 'unsigned') throw signingOver();
      const [before, sepa] = await Promise.all([
        this.codes.latest(tx, mandate),
        this.sepaOf(tx, mandate),
      ]);
      if (before === null) throw signingOver();
      const text = await this.codeText(tx, intent, message);
      const to = { phone: before.recipient, text, before };
      this.codes.send(unit, mandate, to, this.clock.now());
      return signingOf(sepa, mandate);
    });
  }

  /**
   * Signs with the code and starts the debit. A wrong code is returned as a result instead of
   * thrown as an error, so that the counted attempt is committed.
   */
  async sign(intentId: string, code: string, shown: ShownAmount | null): Promise<SignOutcome> {
    return this.store.decide(async (tx, unit) => {
      const held = await this.held(tx, intentId, shown);
      const mandate = await lockMandate(tx, intentId);
      if (mandate?.status !== 'unsigned') throw signingOver();
      const now = this.clock.now();
      const tried = this.codes.try(unit, await this.codes.latest(tx, mandate), code, now);
      if (tried.result !== 'right') return tried;
      const sepa = await this.sepaOf(tx, mandate);
      const { intent } = held;
      const form = signedForm(sepa, await this.names.of(intent, tx), intent);
      const signed = signMandate(unit, this.resources, mandate, form, now, now);
      const { payment } = await this.debits.begin(tx, unit, held, sepa, signed, now);
      if (payment.status === 'to_capture') {
        return { result: 'signed', documentPath: documentPath(signed) };
      }
      return { result: 'refused', ...payerResponse(payment.response ?? '') };
    });
  }

  private async held(
    tx: Transaction,
    intentId: string,
    shown: ShownAmount | null,
  ): Promise<Aggregate> {
    const held = isId('pi', intentId) ? await lockAggregate(tx, intentId) : null;
    if (held === null || held.intent.single_call) throw notFound();
    const { status, methods_allowed: methods } = held.intent;
    if (!acceptsAttempt(status) || !methods.includes('sepa')) {
      throw new Rejection('not_payable', 'this payment no longer accepts a direct debit');
    }
    checkShown(held.intent, shown);
    return held;
  }

  /** The message is built under the lock, so that it names the amount that its code signs. */
  private async codeText(
    tx: Transaction,
    intent: IntentRow,
    message: CodeMessage,
  ): Promise<(code: string) => string> {
    const { amount, currency } = intent;
    const merchant = await this.names.of(intent, tx);
    return (code) => message(code, { amount, currency, merchant });
  }

  private async mandateOf(intentId: string): Promise<PageMandate | null> {
    const [row] = await this.store.database.query<PageMandate>(MANDATE_OF_INTENT, [intentId]);
    return row ?? null;
  }

  private async sepaOf(
    database: Database | Transaction,
    { sepa_id: id }: MandateRow,
  ): Promise<SepaRow> {
    const [row] = await database.query<SepaRow>(SEPA_BY_ID, [id]);
    assert(row !== undefined, 'a mandate has its account');
    return row;
  }
}

const lockMandate = async (tx: Transaction, intentId: string): Promise<MandateRow | null> => {
  const [row] = await tx.query<MandateRow>(LOCK_MANDATE, [intentId]);
  return row ?? null;
};
