import { Inject, Module } from '@nestjs/common';
import { ManageListener } from '../api/partner/manage-listener.js';
import { PartnerAddresses } from '../api/partner/partner-addresses.js';
import { DueWork } from '../clock/due-work.js';
import { SANDBOX_CONFIG, type SandboxConfig } from '../settings/sandbox-config.js';
import { CompaniesController } from './companies/companies.controller.js';
import { CompaniesService } from './companies/companies.service.js';
import { CompanyStore } from './companies/company-store.js';
import { StatusChanges } from './companies/status-changes.js';
import { DocumentStore } from './documents/document-store.js';
import { DocumentsController } from './documents/documents.controller.js';
import { UploadsService } from './documents/uploads.service.js';
import { LookupsController } from './lookups/lookups.controller.js';
import { MerchantKeys } from './merchant-keys/merchant-keys.js';
import { DueCompanies } from './registration/due-companies.js';
import { DueContractCodes } from './registration/due-contract-codes.js';
import { MessageInbox } from './registration/message-inbox.js';
import { RegistrationController } from './registration/registration.controller.js';
import { SigningService } from './registration/signing.service.js';
import { StatusHistory } from './registration/status-history.js';
import { TerminalsController } from './terminals/terminals.controller.js';
import { TerminalsService } from './terminals/terminals.service.js';

/** The onboarding API: a partner registers a merchant's company with the service. */
@Module({
  controllers: [
    LookupsController,
    CompaniesController,
    DocumentsController,
    RegistrationController,
    TerminalsController,
  ],
  providers: [
    CompaniesService,
    CompanyStore,
    DocumentStore,
    DueCompanies,
    DueContractCodes,
    ManageListener,
    MerchantKeys,
    MessageInbox,
    SigningService,
    StatusChanges,
    StatusHistory,
    TerminalsService,
    UploadsService,
    {
      provide: PartnerAddresses,
      inject: [SANDBOX_CONFIG],
      useFactory: (config: SandboxConfig) => new PartnerAddresses(config.publicUrl),
    },
  ],
  exports: [CompanyStore, MerchantKeys, MessageInbox, SigningService, TerminalsService],
})
export class OnboardingModule {
  constructor(
    @Inject(DueWork) work: DueWork,
    @Inject(DueCompanies) companies: DueCompanies,
    @Inject(DueContractCodes) codes: DueContractCodes,
    @Inject(TerminalsService) terminals: TerminalsService,
  ) {
    work.add(companies);
    work.add(codes);
    work.add(terminals);
  }
}
