import { randomText } from '#kernel';

/** How a call to the provider can go wrong; as the sandbox names it. */
export type FaultKind =
  | 'delay'
  | 'drop_before'
  | 'drop_after'
  | 'half_answer'
  | 'reset'
  | 'status_500'
  | 'status_502_html'
  | 'status_429';

export interface Fault {
  /** e.g. `POST /v2/payment_intents`. */
  readonly route: string;
  readonly kind: FaultKind;
  /** How many calls it meets; until it is cleared unless given. */
  readonly count?: number;
  /** How likely each call is met, by choices that the seed determines; every call unless given. */
  readonly chance?: { readonly rate: number; readonly seed: string };
  readonly delayMs?: number;
}

const jsonOf = async (answer: Response): Promise<Record<string, unknown>> => {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${new URL(answer.url).pathname}: ${answer.status} ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
};

/** The sandbox's controls, and the provider's API as the merchant's own key sees it. */
export class Sandbox {
  constructor(
    readonly url: string,
    private readonly merchantKey: string,
  ) {}

  /** Business time now, ISO 8601. */
  async now(): Promise<string> {
    return String((await jsonOf(await fetch(`${this.url}/sandbox/clock`)))['now']);
  }

  /** Moves the clock by an ISO 8601 duration; done when everything due on the way is. */
  async advance(duration: string): Promise<void> {
    await this.post('/sandbox/clock', { advance: duration });
  }

  /** From now on the clock runs so many times as fast as real time. */
  async setRate(rate: number): Promise<void> {
    await this.post('/sandbox/clock', { rate });
  }

  /** The clock waits for who answers here each time it stops. */
  async follow(url: string): Promise<void> {
    await this.post('/sandbox/clock/followers', { url });
  }

  async addFault({ route, kind, count, chance, delayMs = 1_000 }: Fault): Promise<void> {
    await this.post('/sandbox/faults', {
      route,
      kind,
      delay_ms: delayMs,
      ...(count === undefined ? {} : { count }),
      ...chance,
    });
  }

  /** Whether every fault has met what it waited for, or was cleared. */
  async haveAllFaultsHit(): Promise<boolean> {
    const { faults } = await jsonOf(await fetch(`${this.url}/sandbox/faults`));
    return (faults as readonly unknown[]).length === 0;
  }

  async clearFaults(): Promise<void> {
    await jsonOf(await fetch(`${this.url}/sandbox/faults`, { method: 'DELETE' }));
  }

  /** The payment API, with the merchant's key. Throws unless it answers well. */
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

  /** What a merchant does by hand with a payment (`paym_…`), as a browser sends it. */
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

  private async post(path: string, body: object): Promise<void> {
    await jsonOf(
      await fetch(`${this.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    );
  }
}
