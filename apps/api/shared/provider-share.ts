import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { finalize, type Observable } from 'rxjs';
import { assert } from '#kernel';
import { Slots } from '#platform';
import { tooManyAtOnce } from './error-codes.js';

/**
 * The maximum number of requests in a process that call the provider before they are answered. It is
 * lower than the number of connections to the provider, which a worker in the same process uses,
 * too. A request that waits too long for a connection would count as a failure of the provider.
 */
const MAX_CALLING = 96;
const MAX_OF_PLATFORM = 32;

/** Limits the requests that call the provider, in total and for each platform. */
@Injectable()
export class ProviderShare implements NestInterceptor {
  private readonly slots = new Slots(MAX_CALLING, MAX_OF_PLATFORM);

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { caller } = context.switchToHttp().getRequest<FastifyRequest>();
    assert(caller !== null, 'a route that calls the provider requires a scope');
    if (!this.slots.hasRoom(caller.platformId)) throw tooManyAtOnce();
    return next.handle().pipe(finalize(this.slots.take(caller.platformId)));
  }
}

/** For a route, or all routes of a controller, whose requests call the provider. */
export const CallsProvider = (): ClassDecorator & MethodDecorator => UseInterceptors(ProviderShare);
