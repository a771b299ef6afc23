import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { OnboardingModule } from '../../onboarding/onboarding.module.js';
import { assetsController } from '../web/assets-controller.js';
import { SubscriptionController } from './subscription.controller.js';

/** The page on which a merchant registers, signs and manages terminals. */
@Module({
  imports: [OnboardingModule],
  controllers: [
    SubscriptionController,
    assetsController('subscription-assets', join(import.meta.dirname, 'browser')),
  ],
})
export class SubscriptionPageModule {}
