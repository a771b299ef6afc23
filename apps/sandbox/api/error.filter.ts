import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Logger, Problem } from '#platform';
import { ApiError, invalid } from './api-error.js';
import { partnerAnswer } from './partner/partner-answer.js';
import { PartnerError } from './partner/partner-error.js';
import { isPartnerApi } from './partner/partner-paths.js';
import type { RouteTable } from './route-table.js';

const WORDS: Readonly<Record<number, string>> = {
  404: 'Not found',
  405: 'Method not allowed',
  408: 'The request took too long to arrive',
  413: 'The body is too large',
  414: 'The URL is too long',
  415: 'Unsupported media type: send application/json',
};

const badJson = (): ApiError =>
  invalid({ loc: ['body'], msg: 'The body is not valid JSON', type: 'json_invalid' });

const statusOf = (error: unknown): number => {
  if (error instanceof HttpException) return error.getStatus();
  if (error instanceof Problem) return error.status;
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : 500;
  return typeof status === 'number' ? status : 500;
};

interface ErrorAnswer {
  readonly status: number;
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
}

const answerOf = ({ status, body, more }: PartnerError): ErrorAnswer => ({
  status,
  body,
  headers: more.headers ?? {},
});

/**
 * The only place that converts errors to responses, in the format of the called API. The cause of a
 * 500 is not revealed.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly logger: Logger,
    private readonly routes: RouteTable,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const answer = this.answerOf(error, request);
    if (reply.sent || reply.raw.headersSent) return;
    void reply
      .code(answer.status)
      .headers(answer.headers)
      .type('application/json; charset=utf-8')
      .serializer(JSON.stringify)
      .send(answer.body);
  }

  private answerOf(error: unknown, request: FastifyRequest): ErrorAnswer {
    if (error instanceof ApiError) return error;
    if (error instanceof PartnerError) return answerOf(error);
    const status = statusOf(error);
    if (status >= 500) this.logger.error({ err: error, requestId: request.id }, 'a request failed');
    return isPartnerApi(request)
      ? answerOf(partnerAnswer(status, status === 404 ? this.routes.methodsOf(request.url) : []))
      : this.answerTo(status, request);
  }

  private answerTo(status: number, request: FastifyRequest): ApiError {
    if (status === 404) {
      const allowed = this.routes.methodsOf(request.url);
      if (allowed.length === 0) return new ApiError(404, { error: WORDS[404] });
      return new ApiError(405, { error: WORDS[405] }, { allow: allowed.join(', ') });
    }
    if (status === 400) return badJson();
    if (status < 500) return new ApiError(status, { error: WORDS[status] ?? 'Refused' });
    return new ApiError(500, { error: 'Internal server error' });
  }
}
