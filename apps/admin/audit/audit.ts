import { createParamDecorator, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { Pool, type PoolClient } from 'pg';

/** The thing that something was done to. */
export interface Subject {
  readonly type: string;
  readonly id: string;
}

/** Who did it, and by which request. */
export interface AuditOrigin {
  /** `user:<id>`, `ops:<hash>` of a log-in, or `unknown` where nobody is signed in. */
  readonly actor: string;
  readonly requestId: string;
}

export interface AuditEntry {
  /** What was done, e.g. `user.created`. */
  readonly action: string;
  readonly subject: Subject | null;
  readonly reason?: string | null;
  /** No secret, and nothing personal. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Who asks, as a handler's parameter. */
export const AuditedBy = createParamDecorator(
  (_: unknown, context: ExecutionContext): AuditOrigin => {
    const { id, signedIn } = context.switchToHttp().getRequest<FastifyRequest>();
    return { requestId: id, actor: signedIn === null ? 'unknown' : `user:${signedIn.userId}` };
  },
);

/** Who did what, for ever: rows are added and never changed. */
@Injectable()
export class Audit {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /** In the transaction of what it tells of, where that has one. */
  async record(
    origin: AuditOrigin, entry: AuditEntry, client: Pool | PoolClient = this.pool,
  ): Promise<void> {
    const { action, subject, reason = null, detail = {} } = entry;
    await client.query(
      `INSERT INTO audit (actor, action, subject_type, subject_id, reason, request_id, detail)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [
        origin.actor, action, subject?.type ?? null, subject?.id ?? null, reason,
        origin.requestId, JSON.stringify(detail),
      ],
    );
  }
}
