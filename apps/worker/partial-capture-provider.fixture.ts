import { DAY_MS, type Instant, plusMs, Rejection, wallClock } from '#kernel';
import {
  type Capabilities,
  type Capability,
  type CaptureFacts,
  CapabilityMissing,
  type CaptureStatus,
  type NewCapture,
  type NewIntent,
  NO_ONBOARDING,
  type Onboarding,
  type PaymentFacts,
  type Payments,
  type Payouts,
  type ProviderAdapter,
  type ProviderClient,
  ProviderRejected,
  ProviderUnauthorized,
  ProviderUnavailable,
  ProviderUnknownOutcome,
  type RefundFacts,
  type ShownIntent,
  type WebhookEndpoints,
} from '#psp';

const trace = { method: 'POST', pathTemplate: '/parts', durationMs: 0 } as const;
const lost = { reason: 'connection_lost', status: null, detail: null } as const;

const refused = (status: number, why: string): ProviderRejected =>
  new ProviderRejected(trace, status, null, why);

const lacks = (capability: Capability) => (): Promise<never> =>
  Promise.reject(new CapabilityMissing(capability));

interface Intent {
  readonly intentId: string;
  readonly asked: NewIntent;
  paidAt: Instant | null;
  /**
   * The mandate of a direct debit, which has one capture of the whole amount; null for a card
   * payment.
   */
  mandateId: string | null;
  isCanceled: boolean;
  isClosed: boolean;
  captures: CaptureFacts[];
  refunds: RefundFacts[];
}

type Verb = 'create' | 'capture' | 'get';

/**
 * `lost`: the call is executed, but its response is lost. `away` and `refused`: the call is not
 * executed.
 */
type Fault = 'lost' | 'away' | 'refused';

const FAR: readonly (string | undefined)[] = ['accepted', 'sent', 'captured'];
const STATUS_OF = { accepted: 'to_capture', sent: 'capture_sent', captured: 'captured' } as const;

const sumOf = (of: readonly { readonly amountMinor: number }[]): number =>
  of.reduce((sum, { amountMinor }) => sum + amountMinor, 0);

const statusOf = ({
  isCanceled,
  isClosed,
  mandateId,
  paidAt,
  captures,
}: Intent): ShownIntent['status'] => {
  if (isCanceled) return 'canceled';
  if (paidAt === null) return 'open';
  if (!isClosed) return 'authorized';
  const isUnsent = captures.every(({ status }) => status === 'accepted');
  if (mandateId !== null && isUnsent) return 'processing';
  const [furthest] = captures.toSorted((a, b) => FAR.indexOf(b.status) - FAR.indexOf(a.status));
  return furthest === undefined ? 'unpaid' : STATUS_OF[furthest.status as CaptureStatus];
};

/**
 * A provider in memory that captures an authorization in several partial captures, and shows
 * captures also for direct debits. It has no payouts or webhooks.
 */
export class PartialCaptureProvider implements ProviderAdapter {
  readonly name = 'parts';
  readonly capabilities: Capabilities = {
    payments: true,
    cancelableUntil: 'authorized',
    partialCapture: true,
    multipleCapture: true,
    refunds: true,
    debits: true,
    payouts: false,
    onboarding: false,
    sends: [],
  };
  readonly calendar = { cutOffMs: 0, settlementMs: 0 };
  readonly intents = new Map<string, Intent>();
  readonly asked: Verb[] = [];
  /** The maximum amount of one capture: more is not captured, although it was requested. */
  maxCaptureMinor = Infinity;
  private faults: { readonly verb: Verb; readonly fault: Fault }[] = [];
  private made = 0;

  checkKey({ apiKey }: { readonly apiKey: string }): void {
    if (apiKey.startsWith('stest_')) return;
    throw new Rejection('invalid_provider_key', 'a key begins stest_');
  }

  client(apiKey: string): ProviderClient {
    const isStranger = apiKey === 'stest_stranger';
    return { payments: this.payments(isStranger), payouts: PAYOUTS, endpoints: ENDPOINTS };
  }

  onboarding(): Onboarding {
    return NO_ONBOARDING;
  }

  operationOf(): null {
    return null;
  }

  checkWebhook(): 'wrong' {
    return 'wrong';
  }

  readWebhook(): null {
    return null;
  }

  /** Makes the next call of this verb fail. */
  failNext(verb: Verb, fault: Fault): void {
    this.faults.push({ verb, fault });
  }

  count(verb: Verb): number {
    return this.asked.filter((one) => one === verb).length;
  }

  intentOf(reference: string): Intent {
    const found = [...this.intents.values()].find(({ asked }) => asked.reference === reference);
    if (found === undefined) throw new Error(`no intent of ${reference}`);
    return found;
  }

  /** The payer pays by card. */
  pay(intentId: string): void {
    this.get(intentId).paidAt = wallClock.now();
  }

  /** The payer signs a mandate, which is then debited. */
  sign(intentId: string): void {
    this.debit(this.get(intentId), this.newId('mdt'));
  }

  /** Gives this status to all captures of all intents. */
  clear(status: CaptureStatus): void {
    for (const intent of this.intents.values()) {
      intent.captures = intent.captures.map((one) => ({ ...one, status }));
    }
  }

  /** Releases the uncaptured rest of the authorization. */
  lapse(intentId: string): void {
    this.get(intentId).isClosed = true;
  }

  private payments(isStranger: boolean): Payments {
    const as = <T>(verb: Verb, work: () => T): Promise<T> => this.call(verb, isStranger, work);
    return {
      createIntent: (asked) => as('create', () => this.create(asked)),
      getIntent: (intentId) => as('get', () => this.show(this.get(intentId))),
      findIntents: (reference) =>
        as('get', () =>
          [...this.intents.values()]
            .filter(({ asked }) => asked.reference === reference)
            .map((one) => this.show(one)),
        ),
      details: (intent) => as('get', () => this.details(intent)),
      captureIntent: (intentId, wanted) =>
        as('capture', () => this.capture(this.get(intentId), wanted)),
      cancelIntent: (intentId) => as('get', () => this.cancel(this.get(intentId))),
      debitMandate: (intentId, mandateId) =>
        as('get', () => this.debitSigned(this.get(intentId), mandateId)),
      refundIntent: (intentId, amountMinor) =>
        as('get', () => this.refund(this.get(intentId), amountMinor)),
    };
  }

  private async call<T>(verb: Verb, isStranger: boolean, work: () => T): Promise<T> {
    await Promise.resolve();
    if (isStranger) throw new ProviderUnauthorized(trace, 401);
    this.asked.push(verb);
    const index = this.faults.findIndex((planned) => planned.verb === verb);
    const fault = index === -1 ? null : (this.faults.splice(index, 1)[0]?.fault ?? null);
    if (fault === 'away') throw new ProviderUnavailable(trace, lost);
    if (fault === 'refused') throw refused(422, 'it is not accepted');
    const answer = work();
    if (fault === 'lost') throw new ProviderUnknownOutcome(trace, lost);
    return answer;
  }

  private get(intentId: string): Intent {
    const intent = this.intents.get(intentId);
    if (intent === undefined) throw refused(404, 'no such intent');
    return intent;
  }

  private show(intent: Intent): ShownIntent {
    const {
      intentId,
      asked: { reference, amountMinor, currency },
      paidAt,
      captures,
    } = intent;
    return {
      intentId,
      reference,
      pageUrl: `https://pay.example/${intentId}`,
      status: statusOf(intent),
      amountMinor,
      currency,
      hasAttempt: paidAt !== null,
      captures: [...captures],
    };
  }

  private details({ hasAttempt: _hasAttempt, ...shown }: ShownIntent): PaymentFacts {
    const { paidAt, refunds, mandateId } = this.get(shown.intentId);
    return {
      intent: shown,
      refunds: [...refunds],
      disputes: [],
      attempts:
        paidAt === null
          ? []
          : [
              {
                attemptId: `try_${shown.intentId}`,
                status: mandateId === null ? 'authorized' : 'processing',
                response: '00',
                method: mandateId === null ? 'card' : 'sepa',
                mandateId,
                createdAt: paidAt,
                authorizedUntil: plusMs(paidAt, 7 * DAY_MS),
              },
            ],
    };
  }

  private create(asked: NewIntent): ShownIntent {
    const isTaken = [...this.intents.values()].some(
      (one) => one.asked.reference === asked.reference,
    );
    if (isTaken) throw refused(409, 'the reference is taken');
    const intent: Intent = {
      intentId: this.newId('int'),
      asked,
      paidAt: null,
      mandateId: null,
      isCanceled: false,
      isClosed: false,
      captures: [],
      refunds: [],
    };
    this.intents.set(intent.intentId, intent);
    return this.show(intent);
  }

  private debitSigned(intent: Intent, mandateId: string): ShownIntent {
    const isSigned = [...this.intents.values()].some((one) => one.mandateId === mandateId);
    if (!isSigned) throw refused(409, 'no such mandate is signed');
    return this.debit(intent, mandateId);
  }

  private debit(intent: Intent, mandateId: string): ShownIntent {
    if (statusOf(intent) !== 'open') throw refused(409, `it is ${statusOf(intent)}`);
    const { amountMinor } = intent.asked;
    const capture = { reference: null, captureId: this.newId('cpt'), amountMinor } as const;
    intent.captures.push({ ...capture, status: 'accepted' });
    Object.assign(intent, { mandateId, paidAt: wallClock.now(), isClosed: true });
    return this.show(intent);
  }

  private capture(intent: Intent, { reference, amountMinor, isFinal }: NewCapture): ShownIntent {
    if (intent.captures.some((one) => one.reference === reference)) return this.show(intent);
    if (statusOf(intent) !== 'authorized') throw refused(409, `it is ${statusOf(intent)}`);
    const leftMinor = intent.asked.amountMinor - sumOf(intent.captures);
    const takenMinor = amountMinor ?? leftMinor;
    if (takenMinor > leftMinor) throw refused(409, `only ${leftMinor} is left`);
    intent.captures.push({
      reference,
      captureId: this.newId('cpt'),
      amountMinor: Math.min(takenMinor, this.maxCaptureMinor),
      status: 'accepted',
    });
    intent.isClosed = isFinal || takenMinor === leftMinor;
    return this.show(intent);
  }

  private cancel(intent: Intent): ShownIntent {
    if (intent.captures.length > 0) throw refused(409, 'something is captured');
    intent.isCanceled = true;
    return this.show(intent);
  }

  private refund(intent: Intent, amountMinor: number): RefundFacts {
    const sentMinor = sumOf(intent.captures.filter(({ status }) => status !== 'accepted'));
    if (amountMinor > sentMinor - sumOf(intent.refunds)) throw refused(409, 'not so much is left');
    const made: RefundFacts = {
      refundId: this.newId('ref'),
      amountMinor,
      currency: intent.asked.currency,
      status: 'to_refund',
      createdAt: wallClock.now(),
    };
    intent.refunds.push(made);
    return made;
  }

  private newId(prefix: string): string {
    this.made += 1;
    return `${prefix}_${this.made}`;
  }
}

const PAYOUTS: Payouts = {
  listPayouts: lacks('payouts'),
  getPayout: lacks('payouts'),
  payoutPayments: lacks('payouts'),
  payoutRefunds: lacks('payouts'),
  payoutDisputes: lacks('payouts'),
  listPayments: lacks('payouts'),
  listRefunds: lacks('payouts'),
  listDisputes: lacks('payouts'),
  getPayment: lacks('payouts'),
};

const ENDPOINTS: WebhookEndpoints = {
  listWebhookEndpoints: lacks('sends'),
  createWebhookEndpoint: lacks('sends'),
};
