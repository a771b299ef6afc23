import { readFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { createServer } from 'node:https';
import { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, type Server, type Socket } from 'node:net';
import { ConfigError } from './config.js';

/** A second listener, over TLS, for the same routes. */
export interface TlsOptions {
  readonly port: number;
  readonly certFile: string;
  readonly keyFile: string;
  /** HTTP/2 beside HTTP/1.1. */
  readonly http2?: boolean;
  /** Only paths under one of these are answered here; default: every path. */
  readonly onlyUnder?: readonly string[];
}

export interface TlsListener {
  readonly port: number;
  /** Takes no more connections; resolves when the last one is gone. */
  close(): Promise<void>;
  cutConnections(): void;
}

const readPem = (file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new ConfigError(`cannot read ${file}: make a certificate first`, { cause });
  }
};

const notHere = (response: ServerResponse): void => {
  response.writeHead(404, { 'content-type': 'application/problem+json' });
  response.end('{"type":"about:blank","title":"Not Found","status":404}');
};

/** Starts the listener; rejects when the port is taken or the files cannot be read. */
export const listenTls = async (
  options: TlsOptions,
  host: string,
  route: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<TlsListener> => {
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
  };
  const server: Server =
    options.http2 === true
      ? createSecureServer({ ...secure, allowHTTP1: true }, listener as never)
      : createServer(secure, listener);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, host, () => resolve());
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
    cutConnections: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
};
