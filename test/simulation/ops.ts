import { HOUR_MS, Rejection } from '#kernel';
import { exists, paymentAggregate } from '#payment';
import { isProviderError } from '#psp';
import type { SimulatedConsole } from './console.js';
import type { OperatorLoad } from './operator-load.js';
import type { JobRow, SagaRow, SimulatedDatabase } from './ports/database.js';
import { ConnectionLost } from './ports/process-exchange.js';
import type { Process, Scheduler } from './scheduler.js';

export interface OpsParts {
  readonly scheduler: Scheduler;
  readonly database: SimulatedDatabase;
  readonly console: SimulatedConsole;
  readonly load: OperatorLoad;
  readonly people: Process;
}

/** The maximum number of times that the operator reviews one failed request. */
const MOST_REVIEWS = 8;

/** Whether an action of the console failed in a way that the console shows to its user. */
const isShown = (error: unknown): boolean =>
  error instanceof Rejection || error instanceof ConnectionLost || isProviderError(error);

/**
 * Simulates the operator who reviews the failed provider requests. The operator resolves the result
 * from what the provider shows, and retries a request whose result the provider does not show.
 */
export const watchStuckCalls = async (parts: OpsParts): Promise<void> => {
  const { scheduler, database, people } = parts;
  const reviews = new Map<string, number>();
  const next = (): JobRow | undefined =>
    database
      .calls()
      .find(({ key, state }) => state === 'stuck' && (reviews.get(key) ?? 0) < MOST_REVIEWS);
  for (;;) {
    await scheduler.until(
      people,
      'the operator finds a failed provider request',
      () => next() !== undefined,
    );
    const job = next();
    if (job === undefined) continue;
    reviews.set(job.key, (reviews.get(job.key) ?? 0) + 1);
    await scheduler.sleep(people, HOUR_MS, 'an operator reviews it');
    await review(parts, job);
  }
};

const orderOf = ({ database }: OpsParts, { subjectId }: JobRow): string => {
  const payment = database.state(paymentAggregate, subjectId ?? '');
  return payment.status === 'none' ? '' : payment.terms.orderId;
};

const review = async (parts: OpsParts, job: JobRow): Promise<void> => {
  const { console, database, load } = parts;
  const { key, subjectId } = job;
  const payment = database.state(paymentAggregate, subjectId ?? '');
  // If a refund was sent, the operator resolves the request with the refund found at the provider
  // (`ours`). If the request was certainly not sent, a refund found there must come from the
  // merchant (`others`).
  const isUnknown = exists(payment) && payment.unknown.includes('refund');
  load.actedOnRequest(job, orderOf(parts, job));
  try {
    await console.resolveResult(key, isUnknown ? 'ours' : 'others');
  } catch (error) {
    if (!isShown(error)) throw error;
    await retry(parts, job);
  }
};

const retry = async (parts: OpsParts, job: JobRow): Promise<void> => {
  const { console, load } = parts;
  load.actedOnRequest(job, orderOf(parts, job));
  try {
    await console.retryRequest(job.key);
  } catch (error) {
    // The request may have been retried or resolved meanwhile.
    if (!isShown(error)) throw error;
  }
};

/**
 * Simulates the operator who retries blocked workflows after some time, as if the bug had been
 * fixed in the meantime.
 */
export const watchBlockedSagas = async ({
  scheduler,
  database,
  console,
  load,
  people,
}: OpsParts): Promise<void> => {
  const next = (): SagaRow | undefined =>
    [...database.sagas.values()].find(({ retryAtMs }) => retryAtMs === Infinity);
  for (;;) {
    await scheduler.until(
      people,
      'the operator finds a blocked workflow',
      () => next() !== undefined,
    );
    const saga = next();
    await scheduler.sleep(people, HOUR_MS, 'an operator reviews it');
    if (saga?.retryAtMs !== Infinity) continue;
    load.acted(`the workflow ${saga.saga}`, saga.key);
    try {
      await console.retryReaction(saga.saga, saga.key);
    } catch (error) {
      if (!isShown(error)) throw error;
    }
  }
};
