import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
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

/** Each has a socket of its own; how many of them go to one endpoint is the claim's to say. */
const MAX_IN_FLIGHT = 128;
const LOOK_FOR_LOST_EVERY_MS = 15_000;
const LOOK_AGAIN_AFTER_MS = 100;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends what is due to webhook endpoints, several at a time. */
@Injectable()
export class Deliveries implements DueSource, OnApplicationBootstrap, OnApplicationShutdown {
  readonly name = 'webhooks';
  readonly onlyTells = true;
  private readonly inFlight = new Set<Promise<void>>();
  private lostTimer: NodeJS.Timeout | null = null;

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
    const look = (): void => {
      this.takeBackLost().catch((err: unknown) => {
        this.logger.warn({ err }, 'could not look for lost webhook attempts');
      });
    };
    look();
    this.lostTimer = setInterval(look, LOOK_FOR_LOST_EVERY_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.lostTimer !== null) clearInterval(this.lostTimer);
    await this.settledHere();
    await this.sender.close();
  }

  /** Null while every place is taken: an attempt that ends looks again. */
  async nextDue(): Promise<Instant | null> {
    return this.inFlight.size >= MAX_IN_FLIGHT ? null : this.store.nextDue();
  }

  async begin(upTo: Instant): Promise<void> {
    for (;;) {
      const free = MAX_IN_FLIGHT - this.inFlight.size;
      if (free <= 0) return;
      const claimed = await this.store.claim(upTo, free);
      for (const attempt of claimed) this.start(attempt);
      if (claimed.length < free) return;
    }
  }

  /** Waits for the attempts of other processes too, and for those of dead ones to be taken back. */
  async settled(): Promise<void> {
    await this.settledHere();
    while (await this.store.anySending()) {
      await pause(LOOK_AGAIN_AFTER_MS);
      await this.settledHere();
      await this.takeBackLost();
    }
  }

  private async settledHere(): Promise<void> {
    while (this.inFlight.size > 0) await Promise.all(this.inFlight);
  }

  private start(attempt: ClaimedAttempt): void {
    const running = this.attempt(attempt, this.faults.choose(attempt))
      .catch((err: unknown) => {
        // The row stays leased; when the lease ends it counts as a failed attempt.
        this.logger.error({ err, delivery: attempt.delivery_id }, 'an attempt was not recorded');
      })
      .finally(() => {
        this.inFlight.delete(running);
        // Its place is free, and its endpoint may have more waiting.
        this.wake.at(this.clock.now());
      });
    this.inFlight.add(running);
  }

  private async attempt(claimed: ClaimedAttempt, fault: WebhookFault | null): Promise<void> {
    if (fault !== null && !(await this.faults.suffer(claimed, fault, this.clock.now()))) return;
    const startedMs = performance.now();
    const secret = this.secrets.open(claimed.secret, claimed.endpoint_id);
    const outcome = await this.sender.send(claimed.url, claimed.body, secret);
    const durationMs = Math.round(performance.now() - startedMs);
    this.wake.at(await this.store.finish(claimed, outcome, this.clock.now(), durationMs));
    await this.faults.overtaken(claimed, this.clock.now());
  }

  private async takeBackLost(): Promise<void> {
    const { count, nextDue } = await this.store.takeBackLost(this.clock.now());
    if (count > 0) this.logger.warn({ count }, 'took back webhook attempts that were interrupted');
    this.wake.at(nextDue);
  }
}
