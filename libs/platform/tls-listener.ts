import { readFileSync } from 'node:fs';
import { constants, createSecureServer, type Http2SecureServer } from 'node:http2';
import { createServer, type ServerOptions } from 'node:https';
import { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type Server } from 'node:net';
import { ConfigError } from './config.js';
import { listen, type Listener } from './listener.js';

/** An additional port of an app that serves the same routes over TLS. */
export interface TlsOptions {
  readonly port: number;
  readonly certFile: string;
  readonly keyFile: string;
  /** Whether HTTP/2 is served in addition to HTTP/1.1. */
  readonly http2?: boolean;
  /** If set, only paths with one of these prefixes are served; default: all paths. */
  readonly onlyUnder?: readonly string[];
}

/**
 * The time within which a request must arrive completely: the port may be open to the internet,
 * where a client may send a request byte by byte.
 */
const REQUEST_TIMEOUT_MS = 30_000;
const HANDSHAKE_TIMEOUT_MS = 10_000;
/** The idle timeout of an HTTP/2 connection; longer than any response takes. */
const IDLE_SESSION_MS = 300_000;

const readPem = (file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new ConfigError(`cannot read ${file}: create the certificate first`, { cause });
  }
};

const notHere = (response: ServerResponse): void => {
  response.writeHead(404, { 'content-type': 'application/problem+json' });
  response.end('{"type":"about:blank","title":"Not Found","status":404}');
};

/** Closes streams whose request does not arrive in time, because HTTP/2 has no such timeout. */
const cutSlowStreams = (server: Http2SecureServer): void => {
  server.on('stream', (stream) => {
    if (stream.endAfterHeaders) return;
    const timer = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), REQUEST_TIMEOUT_MS);
    timer.unref();
    const arrived = (): void => clearTimeout(timer);
    stream.once('end', arrived).once('close', arrived);
  });
};

const createTlsServer = (
  secure: ServerOptions,
  listener: RequestListener,
  http2: boolean,
): Server => {
  if (!http2) return createServer(secure, listener);
  const server = createSecureServer({ ...secure, allowHTTP1: true }, listener as never);
  server.setTimeout(IDLE_SESSION_MS);
  cutSlowStreams(server);
  // These options are set after the construction, because the constructor does not accept them.
  // They apply only to HTTP/1.1.
  Object.assign(server, {
    headersTimeout: secure.headersTimeout,
    requestTimeout: secure.requestTimeout,
  });
  return server;
};

/** Starts the listener; rejects if the port is in use or the files cannot be read. */
export const listenTls = async (
  options: TlsOptions,
  host: string,
  route: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Listener> => {
  const { onlyUnder } = options;
  const listener: RequestListener = (request, response) => {
    const path = request.url ?? '/';
    if (onlyUnder === undefined || onlyUnder.some((start) => path.startsWith(start))) {
      route(request, response);
    } else {
      notHere(response);
    }
  };
  const secure = {
    cert: readPem(options.certFile),
    key: readPem(options.keyFile),
    minVersion: 'TLSv1.2' as const,
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    headersTimeout: REQUEST_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
  };
  const server = createTlsServer(secure, listener, options.http2 === true);
  return listen(server, options.port, host);
};
