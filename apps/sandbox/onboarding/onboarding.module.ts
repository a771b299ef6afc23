import { Module } from '@nestjs/common';
import { SANDBOX_CONFIG, type SandboxConfig } from '../sandbox-config.js';
import { CompaniesController } from './companies/companies.controller.js';
import { CompaniesService } from './companies/companies.service.js';
import { CompanyStore } from './companies/company-store.js';
import { PartnerAddresses } from './http/partner-addresses.js';
import { LookupsController } from './lookups/lookups.controller.js';
import { MerchantKeys } from './merchant-keys/merchant-keys.js';
import { StatusChanges } from './registration/status-changes.js';

/** The onboarding API: how a partner brings a merchant's company to the service. */
@Module({
  controllers: [LookupsController, CompaniesController],
  providers: [
    CompaniesService,
    CompanyStore,
    MerchantKeys,
    StatusChanges,
    {
      provide: PartnerAddresses,
      inject: [SANDBOX_CONFIG],
      useFactory: (config: SandboxConfig) => new PartnerAddresses(config.publicUrl),
    },
  ],
})
export class OnboardingModule {}
