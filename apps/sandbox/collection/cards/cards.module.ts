import { Module } from '@nestjs/common';
import { CardsController } from './cards.controller.js';
import { Cards } from './cards.service.js';
import { MerchantCards } from './merchant-cards.service.js';

/** Stores cards for the payment page, payments and the API. */
@Module({
  controllers: [CardsController],
  providers: [Cards, MerchantCards],
  exports: [Cards],
})
export class CardsModule {}
