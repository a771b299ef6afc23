import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  HttpCode,
  type NestInterceptor,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import { ApiProperty, ApiResponse } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { type Observable, tap } from 'rxjs';

const PROBLEMS: Readonly<Record<number, string>> = {
  400: 'The request cannot be parsed.',
  401: 'No user is signed in, or the sign-in is refused.',
  403: 'The role does not allow the request, or the request does not come from the console.',
  404: 'Not found.',
  409: 'The current state does not allow the request.',
  422: 'Some fields are invalid, or a business rule rejects the request.',
  429: 'Too many requests: wait for the time in Retry-After.',
  502: 'The payment provider refused our request.',
  503: 'A part of the service is temporarily unavailable: repeat the request.',
};

/** Responses that any route may return. */
const ALWAYS = [401, 403, 429, 503] as const;

/** Returns the class of a response whose field `items` contains all rows. */
export const listOf = <Item>(type: Type<Item>, description?: string) => {
  class All {
    @ApiProperty({ type, isArray: true, ...(description !== undefined && { description }) })
    items!: readonly Item[];
  }
  return All;
};

/** The response to a successful request. */
interface Success {
  /** The HTTP status; default: 200. */
  readonly status?: number;
  /** For the status 201: the path of the created resource. */
  readonly location?: (body: never) => string;
  readonly description: string;
  readonly type?: Type;
  /** The media types of a response that is not JSON. */
  readonly mediaTypes?: readonly string[];
}

const bodyOf = ({ type, mediaTypes }: Success): object => {
  if (type !== undefined) return { type };
  if (mediaTypes === undefined) return {};
  const entries = mediaTypes.map((name) => [name, { schema: { type: 'string' } }]);
  return { content: Object.fromEntries(entries) as object };
};

const LOCATION = {
  Location: { description: 'The path of the created resource.', schema: { type: 'string' } },
} as const;

/** An interceptor that sends the header Location. */
class SendLocation implements NestInterceptor<unknown> {
  constructor(private readonly of: (body: never) => string) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(tap((body) => reply.header('location', this.of(body as never))));
  }
}

/**
 * Documents the response of a route, and the HTTP statuses of the errors that the route may return.
 */
export const Answers = (success: Success, ...problems: readonly number[]): MethodDecorator => {
  const { status = 200, description, location } = success;
  const schema = { $ref: '#/components/schemas/ProblemDto' };
  return applyDecorators(
    HttpCode(status),
    ...(location === undefined ? [] : [UseInterceptors(new SendLocation(location))]),
    ApiResponse({
      status,
      description,
      ...bodyOf(success),
      ...(location !== undefined && { headers: LOCATION }),
    }),
    ...[...new Set([...ALWAYS, ...problems])].map((one) =>
      ApiResponse({
        status: one,
        description: PROBLEMS[one] ?? '',
        content: { 'application/problem+json': { schema } },
      }),
    ),
  );
};
