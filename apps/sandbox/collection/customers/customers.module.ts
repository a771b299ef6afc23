import { Module } from '@nestjs/common';
import { CustomersController } from './customers.controller.js';
import { Customers } from './customers.service.js';

/** Merchants' customers. */
@Module({
  controllers: [CustomersController],
  providers: [Customers],
  exports: [Customers],
})
export class CustomersModule {}
