import pg from 'pg';
import { DataSource } from 'typeorm';
import { Orchestrator1760000000690 } from './1760000000690-orchestrator.js';
import { PaymentColumns1760000000695 } from './1760000000695-payment-columns.js';
import { RejectedCaptures1760000000700 } from './1760000000700-rejected-captures.js';
import { StoredResponses1760000000710 } from './1760000000710-stored-responses.js';
import { JobsBeginInTheCommit1760000000720 } from './1760000000720-jobs-begin-in-the-commit.js';
import { EventsOfPlatform1760000000730 } from './1760000000730-events-of-platform.js';
import { WebhookEndpoints1760000000740 } from './1760000000740-webhook-endpoints.js';
import { Search1760000000760 } from './1760000000760-search.js';
import { Cases1760000000830 } from './1760000000830-cases.js';
import { Identities1760000000850 } from './1760000000850-identities.js';
import { SecurityKeys1760000000860 } from './1760000000860-security-keys.js';
import { MoneyFigures1760000000870 } from './1760000000870-money-figures.js';
import { JournalFigures1760000000875 } from './1760000000875-journal-figures.js';
import { SavedViews1760000000890 } from './1760000000890-saved-views.js';
import { CaseNotices1760000000910 } from './1760000000910-case-notices.js';
import { AccessScopes1760000000920 } from './1760000000920-access-scopes.js';
import { Exports1760000000930 } from './1760000000930-exports.js';
import { RedeliveryByOperators1760000000940 } from './1760000000940-redelivery-by-operators.js';
import { AmountsOfActions1760000000950 } from './1760000000950-amounts-of-actions.js';
import { SagasWithoutOpenIndex1760000000960 } from './1760000000960-sagas-without-open-index.js';
import { LapsingPayments1760000000970 } from './1760000000970-lapsing-payments.js';
import { Modes1760000000980 } from './1760000000980-modes.js';
import { LateBreaks1760000001010 } from './1760000001010-late-breaks.js';
import { ComparedStuckJobs1760000001020 } from './1760000001020-compared-stuck-jobs.js';
import { LimitedClaims1760000001030 } from './1760000001030-limited-claims.js';
import { EpochOfRestores1760000001040 } from './1760000001040-epoch-of-restores.js';
import { ActionsOfTheApi1760000001080 } from './1760000001080-actions-of-the-api.js';
import { LineCorrections1760000001100 } from './1760000001100-line-corrections.js';
import { CorrectionIndex1760000001110 } from './1760000001110-correction-index.js';
import { FurtherWebhooks1760000001120 } from './1760000001120-further-webhooks.js';
import { SecondFactors1760000000780 } from './1760000000780-second-factors.js';

/** The orchestrator's database with its migrations. It is not connected yet. */
export const orchestratorDataSource = (url: string): DataSource =>
  new DataSource({
    type: 'postgres',
    // Otherwise TypeORM would load the driver by its package name and fail in the bundled program.
    driver: pg,
    url,
    migrations: [
      Orchestrator1760000000690,
      PaymentColumns1760000000695,
      RejectedCaptures1760000000700,
      StoredResponses1760000000710,
      JobsBeginInTheCommit1760000000720,
      EventsOfPlatform1760000000730,
      WebhookEndpoints1760000000740,
      Search1760000000760,
      SecondFactors1760000000780,
      Cases1760000000830,
      Identities1760000000850,
      SecurityKeys1760000000860,
      MoneyFigures1760000000870,
      JournalFigures1760000000875,
      SavedViews1760000000890,
      CaseNotices1760000000910,
      AccessScopes1760000000920,
      Exports1760000000930,
      RedeliveryByOperators1760000000940,
      AmountsOfActions1760000000950,
      SagasWithoutOpenIndex1760000000960,
      LapsingPayments1760000000970,
      Modes1760000000980,
      LateBreaks1760000001010,
      ComparedStuckJobs1760000001020,
      LimitedClaims1760000001030,
      EpochOfRestores1760000001040,
      ActionsOfTheApi1760000001080,
      LineCorrections1760000001100,
      CorrectionIndex1760000001110,
      FurtherWebhooks1760000001120,
    ],
    migrationsTransactionMode: 'each',
  });
