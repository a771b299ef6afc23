import { createServer, type Server } from 'node:http';
import {
  type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { LOGGER, type Logger } from '#platform';
import { SANDBOX_CONFIG, type SandboxConfig } from '../../sandbox-config.js';

/** `{manage_url}` on a port of its own, where the settings name one: the status history only. */
@Injectable()
export class ManageListener implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private server: Server | null = null;

  constructor(
    @Inject(HttpAdapterHost) private readonly adapter: HttpAdapterHost,
    @Inject(SANDBOX_CONFIG) private readonly config: SandboxConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Rejects when the port is taken. */
  async onApplicationBootstrap(): Promise<void> {
    const { managePort, host } = this.config;
    if (managePort === null) return;
    const fastify: FastifyInstance = this.adapter.httpAdapter.getInstance();
    const server = createServer((request, response) => fastify.routing(request, response));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(managePort, host, resolve);
    });
    this.server = server;
    this.logger.info({ managePort }, 'the status history has an address of its own');
  }

  async beforeApplicationShutdown(): Promise<void> {
    const { server } = this;
    if (server === null) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    await closed;
  }
}
