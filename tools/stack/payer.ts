/** Published test cards of the sandbox, named by the result of a payment. */
export const CARDS = {
  threeDSecure: '9999000000000012',
  plain: '9999000000000079',
  refused: '9999000000000137',
  insufficientFunds: '9999000000000145',
  /**
   * A card whose payment succeeds. A day after the capture the payer disputes it with the masked
   * reason 4837. When contested, the dispute is won.
   */
  disputed: '9999000000000186',
  /** A card whose payment is disputed with the reason 1261. When contested, the dispute is lost. */
  disputedAndLost: '9999000000000178',
} as const;

/** Published test bank accounts of the sandbox, named by the result of a debit. */
export const IBANS = {
  accepted: 'FR7600000000000000000000194',
  insufficientFunds: 'FR7600000000000000000001649',
} as const;

/**
 * The response of the payment page's server: the next step that the page must take. `over`: the
 * payment has ended.
 */
export type PageAnswer =
  | { readonly next: 'secure_auth'; readonly authSessionId: string }
  | { readonly next: 'confirm' | 'refused' | 'over' };

const TRY_MS = 10_000;

const post = async (url: URL, body: object): Promise<PageAnswer> => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TRY_MS),
  });
  const parsed = (await answer.json()) as PageAnswer & { error?: string };
  if (answer.status === 409 || answer.status === 404) return { next: 'over' };
  if (!answer.ok)
    throw new Error(
      `${url.pathname} responded with status ${answer.status}: ${parsed.error ?? ''}`,
    );
  return parsed;
};

/**
 * A payer without a browser: sends the requests that the scripts of the hosted page and the bank's
 * page send.
 */
export class Payer {
  private readonly page: string;

  constructor(private readonly pageUrl: string) {
    this.page = new URL(pageUrl).pathname.replace(/\/+$/, '');
  }

  card(number: string): Promise<PageAnswer> {
    const card = { number, expMonth: 12, expYear: 2090, cvc: '123', name: 'Camille Martin' };
    return post(this.at(`${this.page}/card`), card);
  }

  async atBank(session: string, decision: 'approve' | 'refuse' | 'leave'): Promise<PageAnswer> {
    await (await fetch(this.at(`/bank/${session}`))).arrayBuffer();
    return post(this.at(`/bank/${session}/decision`), { decision });
  }

  async confirm(): Promise<void> {
    await post(this.at(`${this.page}/confirm`), {});
  }

  /** Pays by card, through the bank and the confirmation; returns the page's final state. */
  async pay(number: string): Promise<PageAnswer['next']> {
    let answer = await this.card(number);
    if (answer.next === 'secure_auth') answer = await this.atBank(answer.authSessionId, 'approve');
    if (answer.next === 'confirm') await this.confirm();
    return answer.next;
  }

  /** Pays by direct debit: account, mandate, code and signature. */
  async debit(iban: string): Promise<void> {
    const account = { name: 'Camille Martin', iban, phone: '+33600000000' };
    await post(this.at(`${this.page}/sepa`), account);
    const intentId = this.page.split('/').at(-1) ?? '';
    const inbox = await fetch(this.at(`/sandbox/messages?payment_intent=${intentId}`));
    const { messages } = (await inbox.json()) as { messages: readonly { body: string }[] };
    const [code] = /\b\d{4}\b/.exec(messages[0]?.body ?? '') ?? [];
    if (code === undefined) throw new Error('no code was sent for the mandate');
    await post(this.at(`${this.page}/sign`), { code });
  }

  private at(path: string): URL {
    return new URL(path, this.pageUrl);
  }
}
