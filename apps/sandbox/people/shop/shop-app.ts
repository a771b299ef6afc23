import { type DynamicModule, Module } from '@nestjs/common';
import { createLogger, type HttpApp, type Logger, startHttpApp } from '#platform';
import { guardPages } from '../web/guard-pages.js';
import { OrdersApi, SHOP_CONFIG } from './orders-api.js';
import { ReturnAddresses } from './return-addresses.js';
import type { ShopConfig } from './shop-config.js';
import { ShopController } from './shop.controller.js';

@Module({})
class ShopModule {
  static forRoot(config: ShopConfig): DynamicModule {
    return {
      module: ShopModule,
      controllers: [ShopController],
      providers: [OrdersApi, ReturnAddresses, { provide: SHOP_CONFIG, useValue: config }],
    };
  }
}

/**
 * Starts the demo shop on its own listener: a platform that places orders through the internal REST
 * API and frames the payment page. `close` stops the shop. The promise rejects when a port is in
 * use.
 */
export const startShop = (
  config: ShopConfig,
  logger: Logger = createLogger('shop'),
): Promise<HttpApp> =>
  startHttpApp({
    name: 'shop',
    module: ShopModule.forRoot(config),
    port: config.port,
    host: config.host,
    logger,
    helmet: false,
    validation: false,
    configure: (_app, fastify) => guardPages(fastify, () => true),
    ownsProcess: false,
  });
