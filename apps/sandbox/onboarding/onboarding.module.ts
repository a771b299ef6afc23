import { join } from 'node:path';
import { Inject, type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { DueWork } from '../clock/due-work.js';
import { assetsController } from '../page/web/assets-controller.js';
import { PageRequestMiddleware } from '../page/web/page-request.middleware.js';
import { SANDBOX_CONFIG, type SandboxConfig } from '../sandbox-config.js';
import { CompaniesController } from './companies/companies.controller.js';
import { CompaniesService } from './companies/companies.service.js';
import { CompanyStore } from './companies/company-store.js';
import { DocumentStore } from './documents/document-store.js';
import { DocumentsController } from './documents/documents.controller.js';
import { UploadsService } from './documents/uploads.service.js';
import { ManageListener } from './http/manage-listener.js';
import { PartnerAddresses } from './http/partner-addresses.js';
import { LookupsController } from './lookups/lookups.controller.js';
import { MerchantKeys } from './merchant-keys/merchant-keys.js';
import { DueCompanies } from './registration/due-companies.js';
import { DueContractCodes } from './registration/due-contract-codes.js';
import { RegistrationController } from './registration/registration.controller.js';
import { MessageInbox } from './registration/message-inbox.js';
import { SigningService } from './registration/signing.service.js';
import { StatusChanges } from './registration/status-changes.js';
import { StatusHistory } from './registration/status-history.js';
import { SubscriptionController } from './subscription-page/subscription.controller.js';
import { TerminalsController } from './terminals/terminals.controller.js';
import { TerminalsService } from './terminals/terminals.service.js';

/** The onboarding API: how a partner brings a merchant's company to the service. */
@Module({
  controllers: [
    LookupsController, CompaniesController, DocumentsController, RegistrationController,
    TerminalsController, SubscriptionController,
    assetsController(
      'subscription-assets', join(import.meta.dirname, 'subscription-page', 'browser'),
    ),
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
  exports: [MessageInbox],
})
export class OnboardingModule implements NestModule {
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

  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(PageRequestMiddleware).forRoutes(SubscriptionController);
  }
}
