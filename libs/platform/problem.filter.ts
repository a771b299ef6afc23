import { STATUS_CODES } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Logger } from './logger.js';
import { type Problem, type ProblemBody } from './problem.js';
import { type ProblemOptions, problemOf } from './problem-mapping.js';

/** The body of an error response. */
export const problemBody = (problem: Problem, correlationId: string): ProblemBody => ({
  type: `urn:problem-type:${problem.code}`,
  title: STATUS_CODES[problem.status] ?? 'Error',
  status: problem.status,
  detail: problem.message,
  code: problem.code,
  ...(problem.more.errors === undefined ? {} : { errors: problem.more.errors }),
  correlationId,
});

/** Converts all errors of an app to error responses. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly logger: Logger,
    private readonly options: ProblemOptions = {},
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const problem = problemOf(error, this.options);
    const { correlationId } = request;
    if (problem.status >= 500) {
      const level = problem.status === 500 ? 'error' : 'warn';
      this.logger[level]({ correlationId, err: problem.more.cause ?? problem }, problem.message);
    }
    if (reply.sent || reply.raw.headersSent) {
      // If a stream fails half-way, its status has already been sent, so the connection is closed.
      reply.raw.destroy();
      return;
    }
    void reply
      .code(problem.status)
      .headers(problem.more.headers ?? {})
      .type('application/problem+json')
      .serializer(JSON.stringify)
      .send(problemBody(problem, correlationId));
  }
}
