import { createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { SECOND_MS } from '#kernel';
import { isNewer, type LogEntry, LogTail } from '#log';
import { Slots } from '#platform';
import type { Caller } from '../auth/key-verifier.js';
import type { Answer } from '../shared/answer.js';
import { problem } from '../shared/error-codes.js';
import { Tenancy } from '../shared/tenancy.js';
import { orderAnswer, type OrderAnswer } from './order-answer.js';

const MAX_SECONDS = 10;
/**
 * The maximum number of requests that wait in this process, in total and of one platform; further
 * requests do not wait.
 */
const MAX_WAITING = 1_000;
const MAX_OF_PLATFORM = 250;

/** The documentation of the header, which is read by `PreferredWait`. */
export const PREFER = {
  name: 'Prefer',
  required: false,
  description:
    'How long the response may wait for the payment page (RFC 7240), at most ' +
    `${MAX_SECONDS} seconds: with \`wait=2\`, the response contains \`payment.pageUrl\` unless the ` +
    'provider takes longer. By default the response does not wait.',
  schema: { type: 'string', example: 'wait=2' },
} as const;

const malformed = () => {
  const detail = `Prefer must contain wait=<seconds>, a whole number from 0 to ${MAX_SECONDS}`;
  return problem('validation_failed', {
    detail,
    errors: [{ detail: `must be wait=0 to wait=${MAX_SECONDS}`, parameter: 'Prefer' }],
  });
};

/** The value of `wait` in a Prefer header; null if it has none. Other preferences are ignored. */
const waitIn = (header: string): string | null => {
  for (const preference of header.split(',')) {
    const [name = '', value = ''] = (preference.split(';', 1)[0] ?? '').split('=');
    if (name.trim().toLowerCase() === 'wait') return value.trim().replaceAll('"', '');
  }
  return null;
};

/**
 * A decorator for a handler's parameter: the milliseconds that the request wants to wait, 0 by
 * default. Throws `Problem` 422 when the header names no whole number of seconds.
 */
export const PreferredWait = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const http = context.switchToHttp();
  const { prefer } = http.getRequest<FastifyRequest>().headers;
  const wait = waitIn(String(prefer ?? ''));
  if (wait === null) return 0;
  if (!/^\d{1,2}$/.test(wait) || Number(wait) > MAX_SECONDS) throw malformed();
  http.getResponse<FastifyReply>().header('preference-applied', `wait=${Number(wait)}`);
  return Number(wait) * SECOND_MS;
});

/** The events after which the payer can be sent to the page, or after which no page follows. */
const ENDS_THE_WAIT = new Set(['IntentCreated', 'IntentRejected', 'OrderFailed']);

const awaitsPage = ({ payment }: OrderAnswer): boolean =>
  payment === null || payment.status === 'requested';

/** Delays the response to a placed order until its payment page exists. */
@Injectable()
export class PageWait {
  private readonly slots = new Slots(MAX_WAITING, MAX_OF_PLATFORM);

  constructor(
    private readonly tail: LogTail,
    private readonly tenancy: Tenancy,
  ) {}

  /**
   * Returns the response with the current payment of the order, at the latest after `waitMs`. A
   * response that already has a page is returned unchanged.
   */
  async withPage(
    caller: Caller,
    answer: Answer<OrderAnswer>,
    waitMs: number,
  ): Promise<Answer<OrderAnswer>> {
    const { body } = answer;
    if (waitMs === 0 || !awaitsPage(body) || !this.slots.hasRoom(caller.platformId)) return answer;
    const release = this.slots.take(caller.platformId);
    try {
      return { ...answer, body: await this.wait(caller, body.id, waitMs) };
    } finally {
      release();
    }
  }

  private async wait(caller: Caller, orderId: string, waitMs: number): Promise<OrderAnswer> {
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    const timer = setTimeout(end, waitMs);
    const take = (entries: readonly LogEntry[]): void => {
      const own = entries.filter(({ metadata }) => metadata.correlationId === orderId);
      if (own.some((entry) => isNewer(entry) || ENDS_THE_WAIT.has(entry.type))) end();
    };
    const subscription = await this.tail.follow({ take, end }).catch((error) => {
      clearTimeout(timer);
      throw error;
    });
    try {
      // The page may already exist: the subscription delivers only later events.
      const current = await this.read(caller, orderId);
      if (!awaitsPage(current)) return current;
      await ended;
      return await this.read(caller, orderId);
    } finally {
      clearTimeout(timer);
      subscription.close();
    }
  }

  private async read(caller: Caller, orderId: string): Promise<OrderAnswer> {
    const { order, payment } = await this.tenancy.orderWithPayment(caller, orderId);
    return orderAnswer(orderId, order, payment);
  }
}
