import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { EventStore } from '#log';
import { type Instant, msOf } from '#kernel';
import { Jobs } from '#jobs';
import { LeasedLoop } from '#kafka';
import { MERCHANT_READS, MerchantDetails, type MerchantMode, startOfDay } from '#onboarding';
import {
  type BusinessClock,
  CLOCK,
  ClockCheck,
  IdleChecks,
  type Logger,
  LOGGER,
  Metrics,
} from '#platform';
import { OnboardingClients } from '#psp';
import { Loops } from '../loops.js';
import { detailsErasure } from './details-erasure.js';
import { HistoryPoller, type HistoryPollerParts } from './history-poller.js';
import { HistoryRows, ROW_OUTCOMES } from './history-rows.js';
import { HistoryWatermarks } from './history-watermarks.js';
import { MerchantExceptions } from './merchant-exceptions.js';
import { MerchantReader } from './merchant-reader.js';
import { overdueReads } from './overdue-reads.js';
import { UnknownCalls } from './unknown-calls.js';

const IDLE_MS = { first: 1_000 };

/**
 * The part of a worker that reads merchants from the provider: each company at its deadlines, and
 * the status history of all companies.
 */
@Injectable()
export class MerchantsProcess {
  private readonly watermarks: HistoryWatermarks;
  private readonly modes: readonly MerchantMode[];

  constructor(
    pool: Pool,
    store: EventStore,
    onboarding: OnboardingClients,
    jobs: Jobs,
    loops: Loops,
    details: MerchantDetails,
    metrics: Metrics,
    idle: IdleChecks,
    wall: ClockCheck,
    @Inject(CLOCK) private readonly clock: BusinessClock,
    @Inject(LOGGER) logger: Logger,
  ) {
    const unknownCalls = new UnknownCalls(pool);
    const merchants = new MerchantReader(store, clock, logger, onboarding, unknownCalls);
    jobs.register(...merchants.kinds(), detailsErasure(store, details));
    this.watermarks = new HistoryWatermarks(pool);
    this.modes = onboarding.modes();
    const rows = new HistoryRows(store, clock, logger);
    const callbacksOf = historyMetrics(metrics);
    const polls = this.modes.flatMap((mode) => {
      const client = onboarding.of(mode);
      if (client === null) return [];
      const poller = new HistoryPoller({
        mode,
        client,
        rows,
        unknownCalls,
        clock,
        logger,
        watermarks: this.watermarks,
        jitter: Math.random,
        ...callbacksOf(mode),
      });
      return [
        new LeasedLoop(
          {
            name: `history_${mode}`,
            begin: (lease) => poller.begin(lease),
            round: (lease, signal) =>
              wall.isRight ? poller.round(lease, signal) : Promise.resolve('idle'),
          },
          { pool, logger, idleMs: IDLE_MS },
        ),
      ];
    });
    loops.add(...polls);
    clock.onMoved(() => polls.forEach((poll) => poll.wake()));
    this.watch(idle);
    this.measure(pool, metrics);
  }

  private measure(pool: Pool, metrics: Metrics): void {
    const exceptions = new MerchantExceptions(pool);
    metrics.gauge(
      'merchants_needing_attention',
      'Merchants that need an operator, by reason',
      ['reason'],
      async (gauge) => {
        for (const [reason, merchants] of Object.entries(await exceptions.counts())) {
          gauge.set({ reason }, merchants);
        }
      },
    );
    metrics.gauge(
      'merchant_read_overdue_seconds',
      'Seconds of business time since the oldest overdue read of a merchant was due, by its kind and mode',
      ['read', 'mode'],
      async (gauge) => {
        const now = this.clock.now();
        for (const kind of MERCHANT_READS) {
          const read = kind.replace('merchant.', '');
          for (const [mode, seconds] of Object.entries(await overdueReads(pool, now, kind))) {
            gauge.set({ read, mode }, seconds);
          }
        }
      },
    );
    metrics.gauge(
      'history_watermark_age_seconds',
      'Seconds since the start of the first day whose status history was not read after the day’s end',
      ['mode'],
      async (gauge) => {
        for (const [mode, watermark] of await this.watermarks.watermarks(this.modes)) {
          gauge.set({ mode }, (msOf(this.clock.now()) - msOf(startOfDay(watermark))) / 1_000);
        }
      },
    );
  }

  /** Moves of a simulated clock wait until no polling run is due or in progress. */
  private watch(idle: IdleChecks): void {
    idle.add({
      name: 'history',
      check: async () => {
        const now = this.clock.now();
        const plans = [...(await this.watermarks.plans(this.modes)).values()];
        const rounds = plans.map(({ nextRoundAt }): Instant => nextRoundAt).toSorted();
        const isDue = rounds.some((at) => at <= now);
        const begun = plans.length === this.modes.length;
        return {
          busy: isDue || !begun ? 'the status history is to be read' : null,
          mark: JSON.stringify(plans),
          next: rounds[0] ?? null,
        };
      },
    });
  }
}

type HistoryCallbacks = Required<Pick<HistoryPollerParts, 'onWindow' | 'onRound'>>;

const historyMetrics = (metrics: Metrics): ((mode: MerchantMode) => HistoryCallbacks) => {
  const windows = metrics.counter(
    'history_windows_total',
    'Days of the status history that were read',
    ['mode'],
  );
  const rows = metrics.counter('history_rows_total', 'Rows of the status history, by result', [
    'mode',
    'outcome',
  ]);
  const rounds = metrics.counter(
    'history_rounds_total',
    'Polling runs of the status history, by result',
    ['mode', 'outcome'],
  );
  return (mode) => {
    // Each metric series is created with the value 0, because an alert on the increase of a series
    // cannot see the increment that creates the series.
    for (const outcome of ROW_OUTCOMES) rows.inc({ mode, outcome }, 0);
    return {
      onWindow: (outcomes) => {
        windows.inc({ mode });
        for (const outcome of outcomes) rows.inc({ mode, outcome });
      },
      onRound: (outcome) => rounds.inc({ mode, outcome }),
    };
  };
};
