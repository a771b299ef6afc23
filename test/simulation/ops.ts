import { HOUR_MS } from '#kernel';
import { exists, isMade, openRequest, paymentAggregate } from '#payment';
import type { SimulatedApiProcess } from './platform.js';
import type { JobRow, SagaRow, SimulatedDatabase } from './ports/database.js';
import type { SimulatedProvider } from './provider/provider.js';
import type { Process, Scheduler } from './scheduler.js';

export interface OpsParts {
  readonly scheduler: Scheduler;
  readonly database: SimulatedDatabase;
  readonly provider: SimulatedProvider;
  readonly api: SimulatedApiProcess;
  readonly people: Process;
}

/** How often the operator may retry one provider request; more retries would show a bug. */
const MOST_RELEASES = 4;

/**
 * Simulates the operator who resolves requests with an unknown result. If the provider has not
 * executed a request, the operator records it as rejected.
 */
export const watchStuckCalls = async (parts: OpsParts): Promise<void> => {
  const { scheduler, database, people } = parts;
  const releases = new Map<string, number>();
  const next = (): JobRow | undefined =>
    database
      .calls()
      .find(({ key, state }) => state === 'stuck' && (releases.get(key) ?? 0) < MOST_RELEASES);
  for (;;) {
    await scheduler.until(
      people,
      'the operator finds a failed provider request',
      () => next() !== undefined,
    );
    const job = next();
    if (job === undefined) continue;
    releases.set(job.key, (releases.get(job.key) ?? 0) + 1);
    await scheduler.sleep(people, HOUR_MS, 'an operator reviews it');
    if (job.kind === 'refund') await resolveRefund(parts, job.subjectId ?? '');
    if (job.state === 'stuck') {
      Object.assign(job, { state: 'waiting', dueAt: database.now(), attempts: 0 });
    }
  }
};

/**
 * Resolves a refund request by the provider's list of refunds: a refund that is not in the list was
 * never made.
 */
const resolveRefund = async (
  { database, provider, api }: OpsParts,
  paymentId: string,
): Promise<void> => {
  const payment = database.state(paymentAggregate, paymentId);
  if (!exists(payment)) return;
  const open = openRequest(payment.refunds);
  if (open === null) return;
  const known = payment.refunds.filter(isMade).map(({ refundId }) => refundId);
  const isThere = provider
    .intent(payment.intentId)
    .refunds.some(({ id, amount }) => !known.includes(id) && amount === open.amountMinor);
  if (!isThere) await api.rejectRefund(payment.terms.orderId, paymentId, open.requestId);
};

/**
 * Simulates the operator who retries blocked workflows after some time, as if the bug had been
 * fixed in the meantime.
 */
export const watchBlockedSagas = async ({
  scheduler,
  database,
  people,
}: Pick<OpsParts, 'scheduler' | 'database' | 'people'>): Promise<void> => {
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
    if (saga?.retryAtMs === Infinity) saga.retryAtMs = scheduler.nowMs;
  }
};
