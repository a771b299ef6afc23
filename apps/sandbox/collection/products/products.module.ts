import { Module } from '@nestjs/common';
import { PricesController } from './prices.controller.js';
import { Prices } from './prices.service.js';
import { ProductsController } from './products.controller.js';
import { Products } from './products.service.js';

/** Merchants' products and prices, the items of subscriptions. */
@Module({ controllers: [ProductsController, PricesController], providers: [Products, Prices] })
export class ProductsModule {}
