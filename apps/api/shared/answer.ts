import { type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';

/** A response body with its status, and whether it is the replay of a stored response. */
export interface Answer<Body = unknown> {
  readonly status: number;
  readonly body: Body;
  readonly replayed?: boolean;
}

/** Sends the `Answer` that a handler returns, with its status and replay header. */
export class SendAnswer implements NestInterceptor<Answer> {
  intercept(context: ExecutionContext, next: CallHandler<Answer>): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map(({ status, body, replayed }) => {
        reply.code(status);
        if (replayed === true) reply.header('idempotency-replayed', 'true');
        return body;
      }),
    );
  }
}
