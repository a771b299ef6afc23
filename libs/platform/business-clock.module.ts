import {
  Body,
  Controller,
  type DynamicModule,
  Global,
  HttpCode,
  Inject,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  Post,
  Req,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ApiExcludeController } from '@nestjs/swagger';
import { IsISO8601 } from 'class-validator';
import { type FastifyRequest } from 'fastify';
import type { AddressInfo } from 'node:net';
import { type Instant, parseInstant } from '#kernel';
import { type BusinessClock, startBusinessClock } from './business-clock.js';
import { IdleChecks } from './idle-checks.js';
import { InternalPort } from './internal-listener.js';
import { LOGGER, type Logger } from './logger.js';
import { Problem } from './problem.js';
import { frameworkProblem } from './problem-mapping.js';
import { clockUrlFromEnv } from './production.js';

/**
 * Injection token of the app's `BusinessClock`, which can be moved. Code that only reads the time
 * injects `Clock`.
 */
export const CLOCK = Symbol('CLOCK');

/**
 * The maximum wait for all due work to end. The clock at CLOCK_URL waits 30 s for our response, so
 * unfinished work must be reported before that.
 */
const IDLE_WITHIN_MS = 25_000;
const REGISTER_EVERY_MS = 30_000;
const REGISTER_RETRY_MS = 1_000;
const REGISTER_TIMEOUT_MS = 2_000;
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

class MoveClock {
  /** The current time of the clock at CLOCK_URL. */
  @IsISO8601({ strict: true })
  readonly now!: string;
}

/**
 * The endpoint through which the clock at CLOCK_URL moves our time. It exists only if CLOCK_URL is
 * set, and accepts requests only from this machine.
 */
@ApiExcludeController()
@Controller('clock')
class ClockController {
  constructor(
    @Inject(CLOCK) private readonly clock: BusinessClock,
    private readonly idle: IdleChecks,
  ) {}

  /**
   * Moves business time. Responds with 200 when all work that is due by then is done, or with 503
   * if that takes more than 25 s or cannot be determined.
   */
  @Post()
  @HttpCode(200)
  async move(
    @Body() { now }: MoveClock,
    @Req() request: FastifyRequest,
  ): Promise<{ next?: Instant }> {
    const isLocal = LOOPBACK.has(request.socket.remoteAddress ?? '');
    if (!isLocal) throw frameworkProblem(404);
    this.clock.moveTo(parseInstant(now));
    const state = await this.idle.untilIdle(IDLE_WITHIN_MS);
    if ('busy' in state) throw new Problem(503, 'not_idle', state.busy);
    return state.next === null ? {} : { next: state.next };
  }
}

/**
 * Registers with the clock at CLOCK_URL periodically, because that clock loses its registrations
 * when it restarts.
 */
@Injectable()
class ClockFollower implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly internal: InternalPort,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const clockUrl = clockUrlFromEnv();
    if (clockUrl === undefined) return;
    const server = this.host.httpAdapter.getHttpServer() as NodeJS.EventEmitter & {
      address(): AddressInfo;
    };
    const begin = (): void =>
      void this.register(clockUrl, this.internal.number ?? server.address().port);
    server.once('listening', begin);
  }

  onModuleDestroy(): void {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
  }

  private async register(clockUrl: string, port: number): Promise<void> {
    const known = await this.announce(clockUrl, `http://127.0.0.1:${port}/clock`);
    if (this.stopped) return;
    const again = (): void => void this.register(clockUrl, port);
    this.timer = setTimeout(again, known ? REGISTER_EVERY_MS : REGISTER_RETRY_MS);
    this.timer.unref();
  }

  private async announce(clockUrl: string, url: string): Promise<boolean> {
    try {
      const answer = await fetch(`${clockUrl.replace(/\/+$/, '')}/followers`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ url }),
        signal: AbortSignal.timeout(REGISTER_TIMEOUT_MS),
      });
      await answer.arrayBuffer();
      if (answer.ok) return true;
      this.logger.warn({ status: answer.status }, 'CLOCK_URL refused the registration');
    } catch (err) {
      this.logger.debug({ err }, 'the clock at CLOCK_URL does not respond');
    }
    return false;
  }
}

/**
 * Provides the app's `CLOCK` and `IdleChecks`. If CLOCK_URL is set, the app registers with that
 * clock and serves `POST /clock`, through which the clock moves the app's business time.
 */
@Global()
@Module({})
export class BusinessClockModule implements OnApplicationShutdown {
  constructor(@Inject(CLOCK) private readonly clock: BusinessClock) {}

  static forRoot(): DynamicModule {
    const clock = {
      provide: CLOCK,
      inject: [LOGGER],
      useFactory: (logger: Logger) => startBusinessClock(logger),
    };
    const follows = clockUrlFromEnv() !== undefined;
    return {
      module: BusinessClockModule,
      controllers: follows ? [ClockController] : [],
      providers: [clock, IdleChecks, ClockFollower],
      exports: [CLOCK, IdleChecks],
    };
  }

  onApplicationShutdown(): void {
    this.clock.stop();
  }
}
