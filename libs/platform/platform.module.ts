import {
  Controller,
  type DynamicModule,
  Get,
  Module,
  type OnApplicationShutdown,
  Res,
} from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { HealthChecks, type ReadyReport } from './health.js';
import { InternalPort } from './internal-listener.js';
import { LOGGER, type Logger } from './logger.js';
import { Metrics } from './metrics.js';
import { endTraceExport } from './trace-export.js';

@Controller('health')
class HealthController {
  constructor(private readonly health: HealthChecks) {}

  /** The liveness check: the process responds. */
  @Get('live')
  live(): { status: 'up' } {
    return { status: 'up' };
  }

  /**
   * The readiness check: 200 if all required dependencies work, even if the process is degraded;
   * otherwise 503.
   */
  @Get('ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadyReport> {
    const report = await this.health.ready();
    if (report.status === 'down') reply.code(503);
    return report;
  }
}

@Controller('metrics')
class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  /** Returns the metrics in the Prometheus text format. */
  @Get()
  async read(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const text = await this.metrics.registry.metrics();
    reply.type(this.metrics.registry.contentType);
    return text;
  }
}

/** Logger, metrics and health checks for every module of an app; imported by `startHttpApp`. */
@Module({})
export class PlatformModule implements OnApplicationShutdown {
  /** Exports the last spans: the loops have stopped, and the requests in progress were answered. */
  onApplicationShutdown(): Promise<void> {
    return endTraceExport();
  }

  static forRoot(logger: Logger): DynamicModule {
    return {
      module: PlatformModule,
      global: true,
      controllers: [HealthController, MetricsController],
      providers: [{ provide: LOGGER, useValue: logger }, HealthChecks, Metrics, InternalPort],
      exports: [LOGGER, HealthChecks, Metrics, InternalPort],
    };
  }
}
