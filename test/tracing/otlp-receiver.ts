import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { bytesOf, type Fields, fieldsOf, messagesOf, numberOf, textOf } from './protobuf.js';

type Value = string | number | boolean | readonly Value[];

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Null for the first span of a trace. */
  readonly parentId: string | null;
  readonly service: string;
  readonly name: string;
  readonly kind: string;
  /** Unix time in nanoseconds. */
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly attributes: Readonly<Record<string, Value>>;
  readonly links: readonly string[];
  readonly isFailed: boolean;
}

const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];
const STATUS_ERROR = 2n;

const valueOf = (value: Fields): Value => {
  if (value.has(1)) return textOf(value, 1);
  if (value.has(2)) return numberOf(value, 2) === 1n;
  if (value.has(3)) return Number(numberOf(value, 3));
  return messagesOf(messagesOf(value, 5)[0] ?? new Map(), 1).map(valueOf);
};

const attributesOf = (holder: Fields, number: number): Record<string, Value> =>
  Object.fromEntries(
    messagesOf(holder, number).map((pair) => [
      textOf(pair, 1),
      valueOf(messagesOf(pair, 2)[0] ?? new Map()),
    ]),
  );

const hexOf = (fields: Fields, number: number): string => bytesOf(fields, number).toString('hex');

const spanOf = (span: Fields, service: string): ReceivedSpan => ({
  traceId: hexOf(span, 1),
  spanId: hexOf(span, 2),
  parentId: hexOf(span, 4) || null,
  service,
  name: textOf(span, 5),
  kind: KINDS[Number(numberOf(span, 6))] ?? '',
  startNs: numberOf(span, 7),
  endNs: numberOf(span, 8),
  attributes: attributesOf(span, 9),
  links: messagesOf(span, 13).map((link) => hexOf(link, 1)),
  isFailed: messagesOf(span, 15).some((status) => numberOf(status, 3) === STATUS_ERROR),
});

/** The spans of an `ExportTraceServiceRequest`. */
const spansOf = (request: Buffer): readonly ReceivedSpan[] =>
  messagesOf(fieldsOf(request), 1).flatMap((ofResource) => {
    const resource = attributesOf(messagesOf(ofResource, 1)[0] ?? new Map(), 1);
    const service = String(resource['service.name']);
    return messagesOf(ofResource, 2)
      .flatMap((ofScope) => messagesOf(ofScope, 2))
      .map((span) => spanOf(span, service));
  });

/** A receiver of OTLP over HTTP with protobuf, such as a collector. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** All requests as text. Specs search them for data that must not be exported. */
  readonly texts: string[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<OtlpReceiver> {
    const server = createServer();
    const receiver = new OtlpReceiver(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const sent = Buffer.concat(chunks);
        const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
        const isTraces =
          request.url === '/v1/traces' &&
          request.headers['content-type'] === 'application/x-protobuf';
        if (isTraces) receiver.spans.push(...spansOf(body));
        receiver.texts.push(body.toString('latin1'));
        response.writeHead(isTraces ? 200 : 404, { 'content-type': 'application/x-protobuf' });
        response.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  ofTrace(traceId: string): readonly ReceivedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}
