import { type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';

/** A response body with its status, and whether it is the replay of a stored response. */
export interface Answer<Body = unknown> {
  readonly status: number;
  readonly body: Body;
  readonly replayed?: boolean;
}

/**
 * The fields of a 201 response that contain the id of the created resource. If several documents
 * were created, the Location header names the first.
 */
interface Created {
  readonly id?: string;
  readonly documentIds?: readonly string[];
}

/** The path of a created resource: below the path to which the request was sent. */
const locationOf = ({ url }: FastifyRequest, { id, documentIds = [] }: Created): string =>
  `${url.split('?', 1)[0]}/${id ?? documentIds[0]}`;

/**
 * Sends the `Answer` that a handler returns, with its status, and with the headers for a created
 * resource and for a replay.
 */
export class SendAnswer implements NestInterceptor<Answer> {
  intercept(context: ExecutionContext, next: CallHandler<Answer>): Observable<unknown> {
    const http = context.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    return next.handle().pipe(
      map(({ status, body, replayed }) => {
        reply.code(status);
        if (status === 201) {
          reply.header('location', locationOf(http.getRequest<FastifyRequest>(), body as Created));
        }
        if (replayed === true) reply.header('idempotency-replayed', 'true');
        return body;
      }),
    );
  }
}
