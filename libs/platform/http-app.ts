import 'reflect-metadata';
import { type AddressInfo } from 'node:net';
import { type BeforeApplicationShutdown, type DynamicModule, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import helmet, { type HelmetOptions } from 'helmet';
import { logAccess } from './access-log.js';
import { allowForPauses } from './address-attempts.js';
import { parseBodies } from './body-parsers.js';
import { countRequests, cutWhenIdle } from './drain.js';
import { InternalPort, keepRoutesApart, listenInternal } from './internal-listener.js';
import type { Listener } from './listener.js';
import { createLogger, type Logger, nestLogger } from './logger.js';
import { Metrics } from './metrics.js';
import { PlatformModule } from './platform.module.js';
import { type ProblemOptions, problemOf } from './problem-mapping.js';
import { problemBody, ProblemFilter } from './problem.filter.js';
import { endInOrder } from './process-end.js';
import { followRequests, newRequestId } from './request-context.js';
import { refuseUnwantedTexts } from './text-guard.js';
import { listenTls, type TlsOptions } from './tls-listener.js';
import { startTraceExport } from './trace-export.js';
import { createValidationPipe } from './validation.pipe.js';

const BODY_LIMIT_BYTES = 64 * 1_024;
const REQUEST_TIMEOUT_MS = 30_000;
const MAX_PARAM_LENGTH = 2_048;
/**
 * How long a stopping process waits for requests in progress. The remaining time before the process
 * is killed is for its background loops.
 */
const REQUESTS_END_WITHIN_MS = 6_000;

export interface HttpAppOptions {
  /** The app's name in logs, e.g. `api`. */
  readonly name: string;
  readonly module: Type | DynamicModule;
  /** The port of the app; 0: any free port. */
  readonly port: number;
  /**
   * The network address on which the app listens. Default: HOST from the environment, else
   * 127.0.0.1.
   */
  readonly host?: string;
  readonly tls?: TlsOptions;
  /**
   * A separate port for /metrics and for requests of the clock at CLOCK_URL; `port` then serves
   * neither. Health is served on both ports. 0: any free port; default: `port` serves all routes.
   */
  readonly internalPort?: number;
  /** The maximum size of a request body. Default: 64 KiB. A larger body returns 413. */
  readonly bodyLimitBytes?: number;
  readonly logger?: Logger;
  readonly problems?: ProblemOptions;
  /** False for an app with its own error format and filter. */
  readonly problemJson?: boolean;
  /** False for an app with its own input validation. */
  readonly validation?: boolean;
  /** False only for the sandbox, whose requests contain card and account numbers. */
  readonly accountNumbersRefused?: boolean;
  /** Trusted proxies, whose headers name the client: comma-separated IP addresses or networks. */
  readonly trustProxy?: string | undefined;
  /** Maps alternative paths to a route before routing, e.g. a path without a trailing slash. */
  readonly rewriteUrl?: (url: string) => string;
  /**
   * Options of Helmet, which adds security headers. The default is for plain HTTP; false: no
   * headers.
   */
  readonly helmet?: HelmetOptions | false;
  /** Adds further plugins and hooks before the app's routes are registered. */
  readonly configure?: (app: NestFastifyApplication, fastify: FastifyInstance) => unknown;
  /**
   * False in tests that start several apps in one process: then no signal handlers are installed.
   */
  readonly ownsProcess?: boolean;
}

export interface HttpApp {
  readonly app: NestFastifyApplication;
  readonly logger: Logger;
  readonly port: number;
  /** The base URL of the app, e.g. `http://127.0.0.1:4100`. */
  readonly url: string;
  /** The base URL of /metrics; it differs from `url` if there is an internal port. */
  readonly internalUrl: string;
  readonly tlsPort: number | undefined;
  readonly tlsUrl: string | undefined;
  /**
   * Stops accepting requests, answers those in progress, stops the background loops, then closes
   * everything else.
   */
  close(): Promise<void>;
}

/**
 * Helmet's options for plain HTTP. Headers that make browsers use HTTPS are off, because the apps
 * themselves do not serve HTTPS; a TLS proxy in front of an app adds these headers.
 */
const HELMET = {
  contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
  strictTransportSecurity: false,
} as const;

/**
 * Helmet's headers for plain HTTP. They are computed once, because they are the same for every
 * response.
 */
const securityHeaders = (): Readonly<Record<string, string>> => {
  const headers: Record<string, string> = {};
  const response = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value;
    },
    removeHeader: () => undefined,
  };
  helmet(HELMET)(undefined as never, response as never, () => undefined);
  return headers;
};

const setSecurityHeaders = (fastify: FastifyInstance, options?: HelmetOptions): void => {
  if (options === undefined) {
    const headers = securityHeaders();
    fastify.addHook('onRequest', (_request, reply, done) => {
      reply.headers(headers);
      done();
    });
    return;
  }
  // If an app sets options of its own, the headers may differ from response to response.
  const writeHeaders = helmet(options);
  fastify.addHook('onRequest', (request, reply, done) =>
    writeHeaders(request.raw, reply.raw, (error?: unknown) => done(error as Error | undefined)),
  );
};

/**
 * Rejects a path that cannot be decoded. Such a request would reach no hook and no filter of the
 * app, and the framework's message would repeat the path.
 */
const refuseUnroutable =
  (problemJson: boolean) =>
  (error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    const problem = problemOf(error, {});
    const body = problemJson ? problemBody(problem, request.id) : { error: problem.message };
    reply
      .code(problem.status)
      .header('x-correlation-id', request.id)
      .type(problemJson ? 'application/problem+json' : 'application/json')
      .serializer(JSON.stringify)
      .send(body);
  };

const createAdapter = (options: HttpAppOptions): FastifyAdapter =>
  new FastifyAdapter({
    rewriteUrl: ({ url = '/' }: { url?: string | undefined }) => options.rewriteUrl?.(url) ?? url,
    frameworkErrors: refuseUnroutable(options.problemJson !== false),
    logger: false,
    trustProxy: options.trustProxy ?? false,
    bodyLimit: options.bodyLimitBytes ?? BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    // The length limit of a path parameter is far above the length of a valid id. So a request with
    // an overlong id still reaches its route, which rejects the id with a specific message.
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    genReqId: newRequestId,
    requestIdHeader: false,
  });

const configure = async (
  app: NestFastifyApplication,
  fastify: FastifyInstance,
  logger: Logger,
  options: HttpAppOptions,
): Promise<void> => {
  followRequests(fastify);
  logAccess(fastify, logger, app.get(Metrics));
  parseBodies(fastify);
  if (options.helmet !== false) setSecurityHeaders(fastify, options.helmet);
  if (options.accountNumbersRefused !== false) {
    fastify.addHook('preHandler', (request, _reply, done) => {
      refuseUnwantedTexts(request);
      done();
    });
  }
  if (options.internalPort !== undefined) keepRoutesApart(fastify, app.get(InternalPort));
  if (options.problemJson !== false) {
    app.useGlobalFilters(new ProblemFilter(logger, options.problems));
  }
  if (options.validation !== false) app.useGlobalPipes(createValidationPipe());
  await options.configure?.(app, fastify);
};

/**
 * The root module, whose hooks Nest calls first. A shutdown has these phases: endless requests end
 * (`onModuleDestroy`), requests in progress are answered (here), loops stop
 * (`beforeApplicationShutdown`), and shared resources are closed (`onApplicationShutdown`).
 */
const rootThat = (answersRequests: () => Promise<void>): Type =>
  class Root implements BeforeApplicationShutdown {
    beforeApplicationShutdown(): Promise<void> {
      return answersRequests();
    }
  };

/**
 * Starts a Nest app on Fastify with the setup common to all apps: request and correlation ids, one
 * access log line per request, problem+json, validation, rejection of card numbers and IBANs,
 * helmet, /health/live, /health/ready, /metrics, and graceful shutdown. Rejects if a port is in
 * use.
 */
export const startHttpApp = async (options: HttpAppOptions): Promise<HttpApp> => {
  const logger = options.logger ?? createLogger(options.name);
  const host = options.host ?? process.env.HOST ?? '127.0.0.1';
  allowForPauses();
  const ending = { answerRequests: () => Promise.resolve() };
  const imports = [PlatformModule.forRoot(logger), options.module];
  const root = { module: rootThat(() => ending.answerRequests()), imports };
  const app = await NestFactory.create<NestFastifyApplication>(root, createAdapter(options), {
    logger: nestLogger(logger),
    abortOnError: false,
    bodyParser: false,
  });
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  const openRequests = countRequests(fastify);
  await configure(app, fastify, logger, options);
  const internalPort = app.get(InternalPort);
  let tls: Listener | undefined;
  let internal: Listener | undefined;
  ending.answerRequests = async () => {
    const closed = Promise.all([
      app.getHttpAdapter().close(),
      tls?.close(),
      internal?.close(),
    ]).then(() => {});
    await cutWhenIdle(closed, openRequests, REQUESTS_END_WITHIN_MS, () => {
      fastify.server.closeAllConnections();
      tls?.cutConnections();
      internal?.cutConnections();
    });
  };
  try {
    await app.init();
    await fastify.ready();
    // The TLS port is opened before the app's main port, so that it is open when a client finds the
    // main port ready.
    if (options.tls !== undefined) tls = await listenTls(options.tls, host, fastify.routing);
    if (options.internalPort !== undefined) {
      internal = await listenInternal(internalPort, options.internalPort, host, fastify.routing);
    }
    await app.listen(options.port, host);
  } catch (error) {
    await Promise.all([app.close(), tls?.close(), internal?.close()]);
    throw error;
  }
  const port = (app.getHttpServer().address() as AddressInfo).port;
  const close = async (): Promise<void> => {
    stopListening();
    await app.close();
  };
  const stopListening = options.ownsProcess === false ? () => {} : endInOrder(logger, close);
  logger.info({ port, tlsPort: tls?.port, internalPort: internalPort.number }, 'listening');
  return {
    app,
    logger,
    port,
    url: `http://${host}:${port}`,
    internalUrl: `http://${host}:${internalPort.number ?? port}`,
    tlsPort: tls?.port,
    tlsUrl: tls === undefined ? undefined : `https://${host}:${tls.port}`,
    close,
  };
};

/**
 * Runs the process of an app. If the app cannot start, the reason is logged, and the exit code is
 * not 0.
 */
export const runApp = async (
  name: string,
  start: (logger: Logger) => Promise<HttpApp>,
): Promise<void> => {
  const logger = createLogger(name);
  try {
    await startTraceExport(name, logger);
    await start(logger);
  } catch (err) {
    logger.fatal({ err }, err instanceof Error ? err.message : 'cannot start');
    process.exitCode = 1;
  }
};
