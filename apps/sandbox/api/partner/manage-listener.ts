import { createServer } from 'node:http';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { listenTls, LOGGER, type Logger, type TlsOptions } from '#platform';
import { SANDBOX_CONFIG, type SandboxConfig } from '../../settings/sandbox-config.js';

interface Listener {
  /** Stops accepting connections; resolves when the last connection has ended. */
  close(): Promise<void>;
}

/** Listens without TLS, with the same time limits as the main server. */
const listenPlain = async (
  port: number,
  host: string,
  { server: main, routing }: FastifyInstance,
): Promise<Listener> => {
  // Node derives the time limit for receiving the headers from `requestTimeout`.
  const { requestTimeout, keepAliveTimeout } = main;
  const limits = { requestTimeout, keepAliveTimeout };
  const server = createServer(limits, (request, response) => routing(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      await closed;
    },
  };
};

/** How long a shutdown waits for pending responses before it closes idle sessions. */
const LAST_ANSWERS_MS = 1_000;

/** Listens with TLS, like the main server. */
const listenSecure = async (
  options: TlsOptions,
  host: string,
  { routing }: FastifyInstance,
): Promise<Listener> => {
  const listener = await listenTls(options, host, routing);
  return {
    close: async () => {
      const cut = setTimeout(() => listener.cutConnections(), LAST_ANSWERS_MS);
      await listener.close();
      clearTimeout(cut);
    },
  };
};

/**
 * Serves `{manage_url}` on a separate port, if one is configured; that port serves only the status
 * history.
 */
@Injectable()
export class ManageListener implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private listener: Listener | null = null;

  constructor(
    @Inject(HttpAdapterHost) private readonly adapter: HttpAdapterHost,
    @Inject(SANDBOX_CONFIG) private readonly config: SandboxConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Rejects the promise when the port is already in use. */
  async onApplicationBootstrap(): Promise<void> {
    const { managePort, host, tls } = this.config;
    if (managePort === null) return;
    const fastify: FastifyInstance = this.adapter.httpAdapter.getInstance();
    this.listener =
      tls === null
        ? await listenPlain(managePort, host, fastify)
        : await listenSecure({ ...tls, port: managePort, http2: true }, host, fastify);
    this.logger.info(
      { managePort },
      'the status history is served on SANDBOX_STATUS_HISTORY_PORT only',
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.listener?.close();
  }
}
