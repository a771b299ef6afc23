import { Client, type Pool } from 'pg';
import type { Logger } from '#platform';
import { WAKE_CHANNEL, type Wakes } from './wakes.js';

const RETRY_MS = 1_000;

/** Receives notifications of the commits of other processes, on a separate connection. */
export class WakeListener {
  private client: Client | null = null;
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;

  constructor(
    private readonly pool: Pool,
    private readonly wakes: Wakes,
    private readonly logger: Logger,
    /** Called when the connection is lost, as in a failover, which may lose the last commits. */
    private readonly onLost: () => void = () => undefined,
  ) {}

  /**
   * Starts to listen. Resolves even if the connection failed: a new connection is tried each
   * second.
   */
  async start(): Promise<void> {
    const client = new Client({
      ...this.pool.options,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    this.client = client;
    client.on('notification', ({ payload = '' }) => this.wakes.onNotification(payload));
    // After this error the connection also emits `end`, whose handler connects again.
    client.on('error', (err) =>
      this.logger.warn({ err }, 'the connection for commit notifications was lost: reconnecting'),
    );
    client.on('end', () => {
      this.onLost();
      this.again();
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${WAKE_CHANNEL}`);
      // Notifications may have been missed before.
      this.wakes.wakeAll();
    } catch (err) {
      this.logger.warn(
        { err },
        'commit notifications cannot be received: commits of other processes are found by polling',
      );
      await client.end().catch(() => undefined);
      this.again();
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.client?.end().catch(() => undefined);
  }

  private again(): void {
    if (this.stopped || this.timer !== null) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      void this.start();
    }, RETRY_MS);
    this.timer.unref();
  }
}
