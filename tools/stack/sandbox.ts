import { Agent, fetch as fetchPatiently } from 'undici';
import { randomText } from '#kernel';

/**
 * An HTTP client with a long timeout. The sandbox's clock responds only when all work that became
 * due has ended, which takes many minutes on a busy machine.
 */
const patient = new Agent({ headersTimeout: 3_600_000 });

/** The kinds of faults of provider requests, by the names that the sandbox uses. */
export type FaultKind =
  | 'delay'
  | 'drop_before'
  | 'drop_after'
  | 'half_answer'
  | 'late_list'
  | 'reset'
  | 'status_500'
  | 'status_502_html'
  | 'status_429';

export interface Fault {
  /** The method and path of the requests that the fault hits, e.g. `POST /v2/payment_intents`. */
  readonly route: string;
  readonly kind: FaultKind;
  /**
   * The number of requests that the fault may affect: by default one; with `chance` every request
   * until the fault is cleared.
   */
  readonly count?: number;
  /**
   * The probability that the fault hits a request, decided by random numbers from the seed; by
   * default the fault hits every request.
   */
  readonly chance?: { readonly rate: number; readonly seed: string };
  readonly delayMs?: number;
}

interface ListedFault {
  readonly id: string;
  /** The method and path of the affected requests; missing if the fault affects webhooks. */
  readonly route?: string;
  readonly met: number;
}

const jsonOf = async (
  answer: Pick<Response, 'ok' | 'status' | 'text' | 'url'>,
): Promise<Record<string, unknown>> => {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${new URL(answer.url).pathname}: ${answer.status} ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
};

/** The sandbox's controls, and the provider's API with the merchant's key. */
export class Sandbox {
  constructor(
    readonly url: string,
    private readonly merchantKey: string,
  ) {}

  async now(): Promise<string> {
    return String((await jsonOf(await fetch(`${this.url}/sandbox/clock`)))['now']);
  }

  /**
   * Advances the clock by an ISO 8601 duration; resolves when all work that became due has ended,
   * in the sandbox and in the followers of its clock.
   */
  async advance(duration: string): Promise<void> {
    await this.post('/sandbox/clock', { advance: duration });
  }

  /** Sets the clock's speed, as a multiple of real time. */
  async setRate(rate: number): Promise<void> {
    await this.post('/sandbox/clock', { rate });
  }

  /**
   * Registers the URL of a follower of the clock. Whenever the clock stops at a due instant, the
   * sandbox notifies the followers and waits until they are idle.
   */
  async follow(url: string): Promise<void> {
    await this.post('/sandbox/clock/followers', { url });
  }

  async addFault(fault: Fault): Promise<void> {
    await this.addListedFault(fault);
  }

  /** Adds a fault of provider requests; returns its id. */
  async addListedFault({ route, kind, count, chance, delayMs = 1_000 }: Fault): Promise<string> {
    const { faults } = (await this.post('/sandbox/faults', {
      route,
      kind,
      delay_ms: delayMs,
      ...(count === undefined ? {} : { count }),
      ...chance,
    })) as { readonly faults: readonly ListedFault[] };
    // The new fault is the last one in the list.
    return faults.findLast((fault) => fault.route !== undefined)?.id ?? '';
  }

  /** The number of requests that each active fault has affected, by the fault's id. */
  async hitsOfFaults(): Promise<ReadonlyMap<string, number>> {
    const { faults } = await jsonOf(await fetch(`${this.url}/sandbox/faults`));
    return new Map((faults as readonly ListedFault[]).map(({ id, met }) => [id, met]));
  }

  /** Whether no fault is active: each has affected all of its requests or was cleared. */
  async haveAllFaultsHit(): Promise<boolean> {
    const { faults } = await jsonOf(await fetch(`${this.url}/sandbox/faults`));
    return (faults as readonly unknown[]).length === 0;
  }

  async clearFaults(): Promise<void> {
    await jsonOf(await fetch(`${this.url}/sandbox/faults`, { method: 'DELETE' }));
  }

  /** Calls the payment API with the merchant's key. Throws when the provider returns an error. */
  async api(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<Record<string, unknown>> {
    return jsonOf(
      await fetch(`${this.url}${path}`, {
        method,
        headers: {
          authorization: `Basic ${Buffer.from(`${this.merchantKey}:`).toString('base64')}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  }

  /**
   * Executes a merchant's action on a payment (`paym_…`) by the request that a browser sends from
   * the User Area.
   */
  async byHand(
    attemptId: string,
    action: 'cancel' | 'refund' | 'dispute',
    fields: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const token = randomText(32);
    const answer = await fetch(`${this.url}/user-area/test/payments/${attemptId}/${action}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: `area_form=${token}`, 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ ...fields, token }),
    });
    const text = await answer.text();
    if (answer.status !== 303) throw new Error(`${action}: ${answer.status} ${text}`);
  }

  private async post(path: string, body: object): Promise<Record<string, unknown>> {
    return jsonOf(
      await fetchPatiently(`${this.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        dispatcher: patient,
      }),
    );
  }
}
