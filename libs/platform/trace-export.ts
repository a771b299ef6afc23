import { randomInt } from 'node:crypto';
import { drawWithoutCardNumber, randomHex } from '#kernel';
import { envFlag, envOptional } from './config.js';
import type { Logger } from './logger.js';
import { continueTrace } from './trace-context.js';
import { traceWith } from './tracing.js';

/** How long a stopping process waits until its last spans are exported. */
const FLUSH_MS = 2_000;

/** Exports the last spans; null if no spans are exported. */
let shutdown: (() => Promise<void>) | null = null;

const randomLetter = (): string => 'abcdef'.charAt(randomInt(6));

/**
 * A span id that begins and ends with a letter, so that its digits and those of the neighbouring
 * fields of a `traceparent` cannot together look like a card number.
 */
export const newSpanId = (): string =>
  `${randomLetter()}${drawWithoutCardNumber(() => randomHex(7))}${randomLetter()}`;

const isWanted = (): boolean =>
  !envFlag('OTEL_SDK_DISABLED') &&
  (envOptional('OTEL_EXPORTER_OTLP_ENDPOINT') ??
    envOptional('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')) !== undefined;

/**
 * Exports spans by OTLP (HTTP, protobuf) if OTEL_EXPORTER_OTLP_ENDPOINT is set; the exporter and
 * the sampler take their other settings from the standard variables. Otherwise nothing is loaded.
 */
export const startTraceExport = async (appName: string, logger: Logger): Promise<void> => {
  if (!isWanted()) return;
  const [api, sdk, exporter, hooks, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-proto'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/resources'),
  ]);
  const warn = (message: string): void =>
    logger.warn({ exporter: message }, 'the exporter of traces warns');
  api.diag.setLogger(
    { error: warn, warn, info: () => {}, debug: () => {}, verbose: () => {} },
    api.DiagLogLevel.WARN,
  );
  const provider = new sdk.BasicTracerProvider({
    resource: resources
      .resourceFromAttributes({ 'service.name': `payment-orchestrator-${appName}` })
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    idGenerator: {
      generateTraceId: () => continueTrace(undefined).traceId,
      generateSpanId: newSpanId,
    },
    spanProcessors: [new sdk.BatchSpanProcessor(new exporter.OTLPTraceExporter())],
  });
  api.context.setGlobalContextManager(new hooks.AsyncLocalStorageContextManager().enable());
  traceWith(provider.getTracer('payment-orchestrator'));
  shutdown = () => provider.shutdown();
  logger.info('traces are exported');
};

/** Exports the last spans. Resolves after 2 s at the latest; never rejects. */
export const endTraceExport = async (): Promise<void> => {
  const flush = shutdown;
  if (flush === null) return;
  shutdown = null;
  traceWith(null);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, FLUSH_MS);
  });
  await Promise.race([flush().catch(() => undefined), late]);
  clearTimeout(timer);
};
