import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Pool } from 'pg';
import type { Clock } from '#kernel';
import { type CaseNotice, NOTICE_CHANNELS, type NoticeChannel, QUEUE_NOTICES } from '#operations';
import { CLOCK, firstRow, type Logger, LOGGER, Metrics } from '#platform';
import { CONSOLE_ORIGIN } from '../admin-config.js';
import type { ConsoleOrigin } from '../access/session-cookie.js';
import { type NoticeConfig, NOTICES } from '../notice-config.js';
import { type NoticeReceiver, receiversOf } from './notice-receivers.js';
import { type NoticeText, noticeText } from './notice-text.js';

/**
 * A failed attempt is repeated after a minute. Each further wait is twice as long, up to an hour.
 */
const CLAIM = `
  UPDATE notice_messages
     SET attempts = attempts + 1,
         due_at = clock_timestamp() + least(power(2, least(attempts, 10)), 60) * interval '1 minute'
   WHERE id = (SELECT id FROM notice_messages WHERE channel = $1 AND due_at <= clock_timestamp()
                ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING id::text, notice, attempts, at < clock_timestamp() - interval '3 days' AS "isOld"`;

const WAITING = 'SELECT channel, count(*)::int AS count FROM notice_messages GROUP BY channel';

/** How long a process that stops waits for a receiver. */
const ENDS_WITHIN_MS = 2_000;

/** The error of a notice of a newer release, for which this release has no text. */
const UNREADABLE = 'unreadable';

interface Message {
  readonly id: string;
  readonly notice: CaseNotice;
  readonly attempts: number;
  /** Whether the message is so old that it is discarded if this attempt fails. */
  readonly isOld: boolean;
}

/**
 * Sends notices of new cases, near deadlines and actions that await approval, by webhook and by
 * e-mail. Once a minute, one statement finds what needs a notice and queues the messages. A message
 * is deleted after its receiver has accepted it; if the process ends in between, the message is
 * sent again.
 */
@Injectable()
export class CaseNotices implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly receivers: ReadonlyMap<NoticeChannel, NoticeReceiver>;
  private readonly attempts;
  private timer: NodeJS.Timeout | null = null;
  private working: Promise<void> | null = null;
  private isStopping = false;

  constructor(
    @Inject(NOTICES) private readonly config: NoticeConfig | null,
    @Inject(Pool) private readonly pool: Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONSOLE_ORIGIN) private readonly at: ConsoleOrigin,
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.receivers = config === null ? new Map() : receiversOf(config);
    this.attempts = metrics.counter(
      'console_case_notices_total',
      'Attempts to send a notice of cases: sent, failed, or given up after three days',
      ['channel', 'result'],
    );
    if (config === null) return;
    const help = 'Notices of cases that their receiver has not accepted yet';
    metrics.gauge('console_case_notices_waiting', help, ['channel'], async (gauge) => {
      const { rows } = await pool.query<{ channel: NoticeChannel; count: number }>(WAITING);
      for (const channel of NOTICE_CHANNELS)
        gauge.set({ channel }, rows.find((row) => row.channel === channel)?.count ?? 0);
    });
  }

  onApplicationBootstrap(): void {
    if (this.config === null) return;
    this.timer = setInterval(() => {
      this.round().catch((err: unknown) =>
        this.logger.warn({ err }, 'notices of cases cannot be read now'),
      );
    }, this.config.everyMs);
    this.timer.unref();
  }

  /**
   * Waits a moment for open attempts, so that accepted messages are deleted. Then aborts the
   * attempts; another process sends their messages again.
   */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    if (this.timer !== null) clearInterval(this.timer);
    const working = this.working?.catch(() => {});
    await Promise.race([working, sleep(ENDS_WITHIN_MS, undefined, { ref: false })]);
    await Promise.all([...this.receivers.values()].map((receiver) => receiver.close()));
    await working;
  }

  /**
   * Queues new notices, and sends the messages that are due. A slow receiver delays the next round,
   * so that the rounds of a process never overlap.
   */
  round(): Promise<void> {
    this.working ??= this.work().finally(() => {
      this.working = null;
    });
    return this.working;
  }

  private async work(): Promise<void> {
    const channels = [...this.receivers.keys()];
    const row = await firstRow<{ isWaiting: boolean }>(this.pool, QUEUE_NOTICES, [
      channels,
      this.clock.now(),
    ]);
    if (row?.isWaiting !== true) return;
    await Promise.all([...this.receivers].map(([channel, to]) => this.sendDue(channel, to)));
  }

  /**
   * Sends the due messages one after another; stops when the receiver fails, and continues in a
   * later round.
   */
  private async sendDue(channel: NoticeChannel, receiver: NoticeReceiver): Promise<void> {
    while (!this.isStopping) {
      const message = await firstRow<Message>(this.pool, CLAIM, [channel]);
      if (message === undefined || !(await this.send(channel, receiver, message))) return;
    }
  }

  /** Returns whether the receiver can be sent the next message. */
  private async send(
    channel: NoticeChannel,
    receiver: NoticeReceiver,
    { id, notice, attempts, isOld }: Message,
  ): Promise<boolean> {
    const text = this.textOf(notice);
    // The message id is the same for each attempt, so that a mail server can drop a repeated
    // message.
    const messageId = `<case-notice-${id}@${new URL(this.at.origin).hostname}>`;
    const error = text === null ? UNREADABLE : await receiver.send(text, messageId);
    const isGivenUp = error !== null && isOld;
    if (error === null || isGivenUp) {
      await this.pool.query('DELETE FROM notice_messages WHERE id = $1', [id]);
    }
    const result = error === null ? 'sent' : isGivenUp ? 'given_up' : 'failed';
    this.attempts.inc({ channel, result });
    if (error !== null) {
      const detail = { channel, error, attempts, caseId: notice.caseId };
      if (isGivenUp) this.logger.error(detail, 'a notice of a case was given up');
      else this.logger.warn(detail, 'a notice of a case was not accepted, and is sent again later');
    }
    return error === null || error === UNREADABLE;
  }

  /** Returns null for a notice of a newer release, whose processes send it. */
  private textOf(notice: CaseNotice): NoticeText | null {
    try {
      return noticeText(notice, this.at.origin, this.config?.language ?? 'en');
    } catch {
      return null;
    }
  }
}
