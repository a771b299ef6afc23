import { createParamDecorator, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { Pool, type PoolClient } from 'pg';
import { type AuditEntry, type AuditOrigin, type AuditSubject, recordAudit } from '#operations';

export type { AuditEntry, AuditOrigin, AuditSubject as Subject };

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
    origin: AuditOrigin,
    entry: AuditEntry,
    client: Pool | PoolClient = this.pool,
  ): Promise<void> {
    await recordAudit(client, origin, entry);
  }
}
