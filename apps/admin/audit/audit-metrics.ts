import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Metrics } from '#platform';

/** Actions that grant access or raise a limit, and attempts to gain access. */
const WATCHED = [
  'api_key.created',
  'user.created',
  'user.enabled',
  'user.role_changed',
  'user.access_changed',
  'user.password_reset',
  'user.second_factor_reset',
  'user.identity_registered',
  'account.awaiting_approval',
  'account.approved',
  'account.key_rotated',
  'limit.changed',
  'session.sign_in_refused',
  'session.second_factor_refused',
  'session.sign_in_limited',
];

/** Metrics of audit entries, so that alerts about an action reach people other than its actor. */
@Injectable()
export class AuditMetrics {
  constructor(@Inject(Pool) pool: Pool, metrics: Metrics) {
    const help = 'Audit entries about access that was granted or refused, since the first entry';
    metrics.gauge('console_audit_rows', help, ['action'], async (gauge) => {
      const { rows } = await pool.query<{ action: string; count: number }>(
        'SELECT action, count(*)::int AS count FROM audit WHERE action = ANY ($1) GROUP BY action',
        [WATCHED],
      );
      const counted = new Map(rows.map(({ action, count }) => [action, count]));
      for (const action of WATCHED) gauge.set({ action }, counted.get(action) ?? 0);
    });
  }
}
