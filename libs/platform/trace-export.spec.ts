import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { context } from '@opentelemetry/api';
import { createLogger } from './logger.js';
import { endTraceExport, startTraceExport } from './trace-export.js';
import { isTracing, noteSpan } from './tracing.js';

const logger = createLogger('spec', { level: 'silent' });
const VARIABLES = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TIMEOUT',
  'OTEL_SDK_DISABLED',
] as const;

afterEach(async () => {
  await endTraceExport();
  context.disable();
  for (const name of VARIABLES) delete process.env[name];
});

test('spans are exported only if a receiver is set and the SDK is not disabled', async () => {
  await startTraceExport('spec', logger);
  expect(isTracing()).toBe(false);
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = 'http://127.0.0.1:1';
  process.env['OTEL_SDK_DISABLED'] = 'true';
  await startTraceExport('spec', logger);
  expect(isTracing()).toBe(false);
  delete process.env['OTEL_SDK_DISABLED'];
  await startTraceExport('spec', logger);
  expect(isTracing()).toBe(true);
});

test('a stopping process waits at most two seconds for a receiver that does not respond', async () => {
  let requests = 0;
  const silent = createServer(() => (requests += 1));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = `http://127.0.0.1:${port}`;
  process.env['OTEL_EXPORTER_OTLP_TIMEOUT'] = '2500';
  await startTraceExport('spec', logger);
  noteSpan({ name: 'commit' }, Date.now());
  const startedMs = performance.now();
  await endTraceExport();
  expect(performance.now() - startedMs).toBeGreaterThan(1_900);
  expect(performance.now() - startedMs).toBeLessThan(8_000);
  expect(requests).toBe(1);
  expect(isTracing()).toBe(false);
  silent.closeAllConnections();
  await new Promise((resolve) => silent.close(resolve));
});
