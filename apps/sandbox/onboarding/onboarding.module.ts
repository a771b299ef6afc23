import { Module } from '@nestjs/common';
import { LookupsController } from './lookups/lookups.controller.js';

/** The onboarding API: how a partner brings a merchant's company to the service. */
@Module({
  controllers: [LookupsController],
})
export class OnboardingModule {}
