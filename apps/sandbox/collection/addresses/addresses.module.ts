import { Module } from '@nestjs/common';
import { AddressesController } from './addresses.controller.js';
import { Addresses } from './addresses.service.js';

/** Addresses, which customers and payment intents refer to. */
@Module({ controllers: [AddressesController], providers: [Addresses] })
export class AddressesModule {}
