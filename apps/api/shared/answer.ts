import { type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';

/** A response body with its status, and whether it is the replay of a stored response. */
export interface Answer<Body = unknown> {
  readonly status: number;
  readonly body: Body;
  readonly replayed?: boolean;
}

/** The path of the resource that a response with the status 201 describes. */
export type LocationOf = (body: { readonly id: string }) => string;

/**
 * Sends the `Answer` that a handler returns, with its status, and with the headers for a created
 * resource and for a replay.
 */
export class SendAnswer implements NestInterceptor<Answer> {
  constructor(private readonly locationOf?: LocationOf) {}

  intercept(context: ExecutionContext, next: CallHandler<Answer>): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map(({ status, body, replayed }) => {
        reply.code(status);
        if (status === 201 && this.locationOf !== undefined) {
          reply.header('location', this.locationOf(body as { readonly id: string }));
        }
        if (replayed === true) reply.header('idempotency-replayed', 'true');
        return body;
      }),
    );
  }
}
