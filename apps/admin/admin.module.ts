import { type DynamicModule, Module } from '@nestjs/common';
import { LedgerReads, StatementReads } from '#ledger';
import { Lists } from '#lists';
import { LogTail } from '#log';
import { createSecretBox } from '#platform';
import { OrchestratorModule } from '#orchestrator';
import { Identities } from './access/identities.js';
import { IdentityProvider } from './access/identity-provider.js';
import { IDENTITY_PROVIDER } from './identity-provider-config.js';
import { IdentityProviderController } from './access/identity-provider.controller.js';
import { KnownBrowsers } from './access/known-browsers.js';
import { ProviderSignIn } from './access/provider-sign-in.js';
import { SecurityKeys } from './access/security-keys.js';
import { SecurityKeysController } from './access/security-keys.controller.js';
import { SessionController } from './access/session.controller.js';
import { SecondFactorController } from './access/second-factor.controller.js';
import { SecondFactors } from './access/second-factors.js';
import { SessionReplies } from './access/session-replies.js';
import { Sessions } from './access/sessions.js';
import { SignInLimits } from './access/sign-in-limits.js';
import { SignIn } from './access/sign-in.js';
import { Users } from './access/users.js';
import { ActionStore } from './actions/action-store.js';
import { ActionsController } from './actions/actions.controller.js';
import { Actions } from './actions/actions.js';
import { ActionCatalogue } from './actions/catalogue.js';
import {
  ACCOUNT_COOLING_OFF_MS,
  type AdminConfig,
  CONSOLE_ORIGIN,
  SECOND_FACTOR,
  type SecondFactorPolicy,
  SECRET_BOX,
  TRACE_URL,
  type TraceUrl,
} from './admin-config.js';
import { AuditMetrics } from './audit/audit-metrics.js';
import { EntitiesController } from './entities/entities.controller.js';
import { Timeline } from './entities/timeline.js';
import { Cases } from './cases/cases.js';
import { CasesController } from './cases/cases.controller.js';
import { ChangesController } from './live/changes.controller.js';
import { EXPORT_LIMITS, EXPORTED_LISTS, USUAL_LIMITS } from './exports/exported-lists.js';
import { ExportRunner } from './exports/export-runner.js';
import { Exports } from './exports/exports.js';
import { ExportsController } from './exports/exports.controller.js';
import { EXPORTED, LIST_CONTROLLERS } from './lists.js';
import { LedgerController } from './ledger/ledger.controller.js';
import { StatementsController } from './ledger/statements.controller.js';
import { MerchantsController } from './merchants/merchants.controller.js';
import { MoneyController } from './money/money.controller.js';
import { CaseNotices } from './notices/case-notices.js';
import { NOTICES } from './notice-config.js';
import { OverviewController } from './overview/overview.controller.js';
import { PaymentsController } from './payments/payments.controller.js';
import { PayoutsController } from './payouts/payouts.controller.js';
import { ProjectionsController } from './projections/projections.controller.js';
import { QueuesController } from './queues/queues.controller.js';
import { SearchController } from './search/search.controller.js';
import { ApiKeysController } from './settings/api-keys.controller.js';
import { LimitsController } from './settings/limits.controller.js';
import { SettingsController } from './settings/settings.controller.js';
import { WebhookEndpointsController } from './settings/webhook-endpoints.controller.js';
import { UserChanges } from './users/user-changes.js';
import { UsersController } from './users/users.controller.js';
import { SavedViews } from './views/saved-views.js';
import { SavedViewsController } from './views/saved-views.controller.js';

const CASES = [Cases, CaseNotices];
const EXPORTS = [
  { provide: EXPORTED_LISTS, useValue: EXPORTED },
  { provide: EXPORT_LIMITS, useFactory: () => ({ ...USUAL_LIMITS }) },
  Exports,
  ExportRunner,
];

/** The API of the operations console. */
@Module({})
export class AdminModule {
  static forRoot(config: AdminConfig): DynamicModule {
    return {
      module: AdminModule,
      imports: [OrchestratorModule.forRoot('admin', config)],
      controllers: [
        SessionController,
        IdentityProviderController,
        SecondFactorController,
        SecurityKeysController,
        UsersController,
        OverviewController,
        MoneyController,
        LedgerController,
        StatementsController,
        CasesController,
        SearchController,
        ...LIST_CONTROLLERS,
        PaymentsController,
        PayoutsController,
        MerchantsController,
        EntitiesController,
        QueuesController,
        SettingsController,
        WebhookEndpointsController,
        ApiKeysController,
        LimitsController,
        ActionsController,
        ProjectionsController,
        ChangesController,
        SavedViewsController,
        ExportsController,
      ],
      providers: [
        { provide: CONSOLE_ORIGIN, useValue: { origin: config.origin } },
        { provide: TRACE_URL, useValue: { template: config.traceUrl } satisfies TraceUrl },
        {
          provide: SECOND_FACTOR,
          useValue: { isRequired: config.requiresSecondFactor } satisfies SecondFactorPolicy,
        },
        { provide: SECRET_BOX, useValue: createSecretBox(config.secretsKey) },
        { provide: IDENTITY_PROVIDER, useValue: config.identityProvider },
        { provide: NOTICES, useValue: config.notices },
        { provide: ACCOUNT_COOLING_OFF_MS, useValue: config.accountCoolingOffMs },
        Sessions,
        SessionReplies,
        SecondFactors,
        SecurityKeys,
        SignInLimits,
        KnownBrowsers,
        SignIn,
        Identities,
        IdentityProvider,
        ProviderSignIn,
        Users,
        UserChanges,
        Timeline,
        ...CASES,
        ActionCatalogue,
        ActionStore,
        Actions,
        LedgerReads,
        StatementReads,
        // A delay too short for users to notice. During the delay, a burst of changes is combined into
        // one notification, and the read models are updated.
        LogTail.provider({ delay: 200 }),
        AuditMetrics,
        Lists,
        SavedViews,
        ...EXPORTS,
      ],
    };
  }
}
