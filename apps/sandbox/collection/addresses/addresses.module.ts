import { Module } from '@nestjs/common';
import { AddressesController } from './addresses.controller.js';
import { Addresses } from './addresses.service.js';

/** Addresses of customers and payment intents. */
@Module({ controllers: [AddressesController], providers: [Addresses] })
export class AddressesModule {}
