import { Inject, Injectable, Optional } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { LOGGER, type Logger } from './logger.js';

/** The method with which the function `collect` sets the values of a gauge. */
type Reading<L extends string> = Pick<Gauge<L>, 'set'>;

/** Removes all values of a gauge: a missing value is better than 0 or an old value. */
const clear = <L extends string>(gauge: Gauge<L>): void => {
  gauge.reset();
  gauge.remove({});
};

const LATENCY_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * How often the delay of the event loop is measured. With prom-client's default of 10 ms, an idle
 * process woke up 100 times per second, which was most of its CPU time. The measured values include
 * this time: they are 0.1 s if there is no delay.
 */
const LAG_MEASURED_EVERY_MS = 100;

/**
 * The metrics of the process, served at /metrics. Names end in their unit: `_seconds`, `_total`.
 */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  constructor(@Optional() @Inject(LOGGER) private readonly logger?: Logger) {
    collectDefaultMetrics({
      register: this.registry,
      eventLoopMonitoringPrecision: LAG_MEASURED_EVERY_MS,
    });
  }

  counter<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> {
    return new Counter({ name, help, labelNames: [...labelNames], registers: [this.registry] });
  }

  /**
   * Registers a gauge. For each request of /metrics `collect` is called, and sets all values. If
   * `collect` fails, this gauge has no value, and the other metrics are still served, because
   * metrics are needed most during an outage.
   */
  gauge<L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[],
    collect: (reading: Reading<L>) => void | Promise<void>,
  ): void {
    const { logger } = this;
    new Gauge<L>({
      name,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
      async collect() {
        const values: [number][] = [];
        const set = ((...value: [number]) => values.push(value)) as Reading<L>['set'];
        try {
          await collect({ set });
        } catch (err) {
          values.length = 0;
          logger?.debug({ err, metric: name }, 'a metric cannot be read and is missing');
        }
        clear(this);
        for (const value of values) this.set(...value);
      },
    });
  }

  histogram<L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[] = [],
    buckets: readonly number[] = LATENCY_SECONDS,
  ): Histogram<L> {
    return new Histogram({
      name,
      help,
      labelNames: [...labelNames],
      buckets: [...buckets],
      registers: [this.registry],
    });
  }
}
