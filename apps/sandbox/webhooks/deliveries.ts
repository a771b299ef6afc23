import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { Instant } from '#kernel';
import { LOGGER, type Logger } from '#platform';
import type { DueSource } from '../clock/due-work.js';
import { SandboxClock } from '../clock/sandbox-clock.js';
import type { WebhookFault } from '../faults/fault.js';
import { Wake } from '../storage/wake.js';
import { DeliveryFaults } from './delivery-faults.js';
import { type ClaimedAttempt, DeliveryStore } from './delivery-store.js';
import { EndpointSecrets } from './endpoint-secrets.js';
import { WebhookSender } from './webhook-sender.js';

/**
 * Maximum number of concurrent attempts of a process, because each uses a socket; `MAX_OF_ENDPOINT`
 * also limits the attempts per endpoint.
 */
const MAX_IN_FLIGHT = 256;
const INTERRUPTED_CHECK_INTERVAL_MS = 15_000;
const POLL_INTERVAL_MS = 100;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends due events to webhook endpoints, several at a time. */
@Injectable()
export class Deliveries
  implements DueSource, OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown
{
  readonly name = 'webhooks';
  readonly notifiesOnly = true;
  private readonly inFlight = new Set<Promise<void>>();
  private lostTimer: NodeJS.Timeout | null = null;
  /**
   * Whether the last claim reached a limit of concurrent attempts, so that due deliveries wait for
   * an attempt to end.
   */
  private isFull = false;
  private stopping = false;

  constructor(
    private readonly store: DeliveryStore,
    private readonly sender: WebhookSender,
    private readonly secrets: EndpointSecrets,
    private readonly faults: DeliveryFaults,
    private readonly clock: SandboxClock,
    private readonly wake: Wake,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const checkInterrupted = (): void => {
      this.releaseInterrupted().catch((err: unknown) => {
        this.logger.warn(
          { err },
          `could not check for interrupted webhook attempts; checking again in ${INTERRUPTED_CHECK_INTERVAL_MS} ms`,
        );
      });
    };
    checkInterrupted();
    this.lostTimer = setInterval(checkInterrupted, INTERRUPTED_CHECK_INTERVAL_MS).unref();
  }

  onModuleDestroy(): void {
    this.stopping = true;
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.lostTimer !== null) clearInterval(this.lostTimer);
    await this.settledHere();
    await this.sender.close();
  }

  /**
   * When the next delivery is due; null while the maximum number of attempts is in progress: the
   * end of an attempt then starts the next delivery.
   */
  async nextDue(): Promise<Instant | null> {
    return this.inFlight.size >= MAX_IN_FLIGHT ? null : this.store.nextDue();
  }

  async begin(upTo: Instant): Promise<void> {
    for (;;) {
      const free = MAX_IN_FLIGHT - this.inFlight.size;
      if (free <= 0) break;
      const claimed = await this.store.claim(upTo, free);
      for (const attempt of claimed) this.start(attempt);
      if (claimed.length < free) break;
    }
    this.isFull = this.inFlight.size >= MAX_IN_FLIGHT || this.store.atLimit().length > 0;
  }

  /**
   * Waits until no attempt of any process is in progress; attempts of a process that died end when
   * their lease expires. A stopping process waits for its own attempts only.
   */
  async settled(): Promise<void> {
    await this.settledHere();
    while (!this.stopping && (await this.store.anySending())) {
      await pause(POLL_INTERVAL_MS);
      await this.settledHere();
      await this.releaseInterrupted();
    }
  }

  private async settledHere(): Promise<void> {
    while (this.inFlight.size > 0) await Promise.all(this.inFlight);
  }

  private start(attempt: ClaimedAttempt): void {
    const running = this.attempt(attempt, this.faults.choose(attempt))
      .catch((err: unknown) => {
        // The lease of the delivery remains; when it expires, the attempt counts as failed and is
        // retried.
        this.logger.error(
          { err, delivery: attempt.delivery_id },
          'the result of a webhook attempt could not be stored; the attempt is retried when its lease expires',
        );
      })
      .finally(() => {
        this.inFlight.delete(running);
        this.store.freeEndpoint(attempt);
        if (this.isFull) this.wake.at(this.clock.now());
      });
    this.inFlight.add(running);
  }

  private async attempt(claimed: ClaimedAttempt, fault: WebhookFault | null): Promise<void> {
    if (fault !== null && !(await this.faults.apply(claimed, fault, this.clock.now()))) {
      await this.store.endUnmade(claimed);
      return;
    }
    const startedMs = performance.now();
    const secret = this.secrets.open(claimed.secret, claimed.endpoint_id);
    const outcome = await this.sender.send(claimed.url, claimed.body, secret);
    const durationMs = Math.round(performance.now() - startedMs);
    this.wake.at(await this.store.finish(claimed, outcome, this.clock.now(), durationMs));
    await this.faults.releaseHeld(claimed, this.clock.now());
  }

  private async releaseInterrupted(): Promise<void> {
    const { count, nextDue } = await this.store.releaseInterrupted(this.clock.now());
    if (count > 0)
      this.logger.warn(
        { count },
        'webhook attempts of a dead process counted as failed and rescheduled',
      );
    this.wake.at(nextDue);
  }
}
