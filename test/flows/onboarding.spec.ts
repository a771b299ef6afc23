import fc from 'fast-check';
import {
  changesOf,
  type CompanyStatus,
  isRegistered,
  type Merchant,
  type StatusObservation,
} from '#onboarding';
import { waitFor } from '#testing';
import { OnboardingFlow } from '../support/onboarding-flow.js';

/** Two workers poll the status history of companies, at times of the sandbox's clock. */

const HISTORY = 'GET /api/partners/company-status-history';
const STATUSES: readonly CompanyStatus[] = [
  'incomplete',
  'in_review',
  'validated',
  'available',
  'closing',
  'closed',
];
const COMPANIES = 2;
const CIRCUIT_CLOSED = { timeoutMs: 60_000, everyMs: 1_000 };

describe('with two apps, each with api and worker', () => {
  let onboarding: OnboardingFlow;

  beforeAll(async () => {
    onboarding = await OnboardingFlow.start({ shape: 'one', workers: 2 });
  });
  afterAll(() => onboarding.stop(), 60_000);

  const sandbox = () => onboarding.flow.stack.sandbox;

  /**
   * Moves the clock to a quarter past noon in Paris, so that no status change happens close to
   * midnight.
   */
  const moveToNoon = async (): Promise<void> => {
    const hour = new Date(await sandbox().now()).getUTCHours();
    await sandbox().advance(`PT${(35 - hour) % 24 || 24}H`);
  };

  const rowsOf = (merchant: Merchant): readonly StatusObservation[] =>
    isRegistered(merchant)
      ? changesOf(merchant.statusObservations).filter(({ source }) => source === 'history')
      : [];

  test('a merchant gets API keys and accepts orders once its company is available, and accepts none once it is closed', async () => {
    await moveToNoon();
    const id = await onboarding.draft();
    const { companyId } = await onboarding.registered(id);
    await onboarding.setStatus(companyId, 'available');
    await sandbox().advance('P1D');
    const opened = await onboarding.merchant(id);
    expect(opened).toMatchObject({
      status: 'available',
      ordersEnabled: true,
      accounts: [{ mode: 'test' }],
    });
    await onboarding.setStatus(companyId, 'closing');
    await sandbox().advance('P1D');
    expect(await onboarding.merchant(id)).toMatchObject({
      status: 'closing',
      ordersEnabled: false,
    });
  });

  /**
   * A company at the provider. Its last status of each day is recorded, and is compared with the
   * merchant's events.
   */
  class Followed {
    readonly days = new Map<string, CompanyStatus>();

    constructor(
      readonly id: string,
      readonly companyId: string,
      created: string,
    ) {
      this.days.set(created, 'incomplete');
    }

    async change(status: CompanyStatus): Promise<void> {
      const day = await onboarding.day();
      if ((await onboarding.statusAtProvider(this.companyId)) === status) return;
      await onboarding.setStatus(this.companyId, status);
      this.days.set(day, status);
    }
  }

  type Happening = (all: readonly Followed[]) => Promise<void>;

  const changing: fc.Arbitrary<Happening> = fc
    .tuple(fc.nat(COMPANIES - 1), fc.constantFrom(...STATUSES))
    .map(
      ([which, status]) =>
        async (all) =>
          all[which]?.change(status),
    );

  const advancing: fc.Arbitrary<Happening> = fc
    .oneof(
      fc.constantFrom('PT3H', 'PT30H'),
      fc.integer({ min: 1, max: 22 }).map((n) => `P${n}D`),
    )
    .map((duration) => () => sandbox().advance(duration));

  const failing: fc.Arbitrary<Happening> = fc
    .tuple(fc.constantFrom('status_500', 'half_answer', 'reset'), fc.integer({ min: 1, max: 9 }))
    .map(
      ([kind, count]) =>
        () =>
          sandbox().addFault({ route: HISTORY, kind, count }),
    );

  /**
   * Restarts one of the workers. If that worker held the lease of the poller, no worker polls until
   * the lease has expired.
   */
  const restarting: fc.Arbitrary<Happening> = fc
    .nat(1)
    .map((which) => () => onboarding.flow.stack.workers[which]?.restart() ?? Promise.resolve());

  test('every company status in the polled history is recorded, in order, despite failed polls and restarts of workers', async () => {
    const happening = fc.oneof(
      { weight: 6, arbitrary: changing },
      { weight: 5, arbitrary: advancing },
      { weight: 2, arbitrary: failing },
      { weight: 1, arbitrary: restarting },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 4, maxLength: 12 }), async (happenings) => {
        await moveToNoon();
        const all = await Promise.all(
          Array.from({ length: COMPANIES }, async () => {
            const id = await onboarding.draft();
            const { companyId } = await onboarding.registered(id);
            return new Followed(id, companyId, await onboarding.day());
          }),
        );
        for (const one of happenings) await one(all);
        await sandbox().clearFaults();
        // The circuit breaker stays open for up to 16 s of real time after the faults, whatever the
        // business time. After it has closed, the first poll records all statuses that were missed.
        await waitFor(async () => {
          await sandbox().advance('P2D');
          for (const { id, companyId, days } of all) {
            const merchant = await onboarding.merchant(id);
            const recorded = new Map(
              rowsOf(merchant).map(({ day, status }) => [String(day), status]),
            );
            expect([...recorded]).toEqual([...days]);
            expect(merchant.status).toBe(await onboarding.statusAtProvider(companyId));
          }
          return true;
        }, CIRCUIT_CLOSED);
      }),
      { numRuns: 2, endOnFailure: true },
    );
  }, 400_000);
});
