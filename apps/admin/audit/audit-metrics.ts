import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { type Logger, LOGGER, Metrics } from '#platform';

/** What gives somebody access, to the console or to the api, or more room, and who may be after it. */
const WATCHED = [
  'api_key.created',
  'user.created',
  'user.enabled',
  'user.role_changed',
  'user.password_reset',
  'account.waiting',
  'account.approved',
  'account.key_rotated',
  'limit.changed',
  'session.refused',
  'session.limited',
];

/** Tells of what others than who did it should hear of. */
@Injectable()
export class AuditMetrics {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const help = 'Rows of the audit that tell of access, given or sought, since ever';
    metrics.gauge('console_audit_rows', help, ['action'], async (gauge) => {
      for (const [action, count] of await this.counts()) gauge.set({ action }, count);
    });
  }

  /** Metrics are read most when something is down: the others must still come. */
  private async counts(): Promise<ReadonlyMap<string, number>> {
    try {
      const { rows } = await this.pool.query<{ action: string; count: number }>(
        'SELECT action, count(*)::int AS count FROM audit WHERE action = ANY ($1) GROUP BY action',
        [WATCHED],
      );
      const counted = new Map(rows.map(({ action, count }) => [action, count]));
      return new Map(WATCHED.map((action) => [action, counted.get(action) ?? 0]));
    } catch (error) {
      this.logger.debug({ err: error }, 'the audit cannot be counted now');
      return new Map();
    }
  }
}
