import { DataSource } from 'typeorm';
import { EventLog1760000000001 } from './1760000000001-event-log.js';
import { Messaging1760000000002 } from './1760000000002-messaging.js';
import { Access1760000000003 } from './1760000000003-access.js';
import { OrderList1760000000004 } from './1760000000004-order-list.js';
import { SkippedMessages1760000000020 } from './1760000000020-skipped-messages.js';
import { Upkeep1760000000021 } from './1760000000021-upkeep.js';
import { Merchants1760000000030 } from './1760000000030-merchants.js';
import { MerchantList1760000000032 } from './1760000000032-merchant-list.js';
import { AdminAccess1760000000070 } from './1760000000070-admin-access.js';
import { AdminLists1760000000071 } from './1760000000071-admin-lists.js';
import { Payouts1760000000050 } from './1760000000050-payouts.js';
import { MandateUse1760000000090 } from './1760000000090-mandate-use.js';
import { AdminPayments1760000000072 } from './1760000000072-admin-payments.js';
import { AdminActions1760000000073 } from './1760000000073-admin-actions.js';
import { MerchantExceptions1760000000095 } from './1760000000095-merchant-exceptions.js';
import { ListLooks1760000000100 } from './1760000000100-list-looks.js';
import { MerchantMismatches1760000000101 } from './1760000000101-merchant-mismatches.js';
import { RepeatedLines1760000000110 } from './1760000000110-repeated-lines.js';
import { AdminWishes1760000000120 } from './1760000000120-admin-wishes.js';
import { FailedPayouts1760000000130 } from './1760000000130-failed-payouts.js';
import { AdminReads1760000000140 } from './1760000000140-admin-reads.js';
import { DeadlineAccounts1760000000150 } from './1760000000150-deadline-accounts.js';
import { OneAccountAKey1760000000160 } from './1760000000160-one-account-a-key.js';
import { SparseLedgerAccounts1760000000170 } from './1760000000170-sparse-ledger-accounts.js';
import { LedgerBalances1760000000180 } from './1760000000180-ledger-balances.js';
import { AdminAbout1760000000200 } from './1760000000200-admin-about.js';
import { AdminNames1760000000210 } from './1760000000210-admin-names.js';
import { SearchReferences1760000000230 } from './1760000000230-search-references.js';
import { OrderMoneyBack1760000000240 } from './1760000000240-order-money-back.js';
import {
  BusinessTimeOfCalls1760000000250,
} from './1760000000250-business-time-of-calls.js';
import { StopOldCommits1760000000299 } from './1760000000299-stop-old-commits.js';
import { Reactions1760000000300 } from './1760000000300-reactions.js';
import {
  ProviderAccountHistory1760000000310,
} from './1760000000310-provider-account-history.js';
import {
  IntentsAreOnePayments1760000000350,
} from './1760000000350-intents-are-one-payments.js';
import { KnownBrowsers1760000000330 } from './1760000000330-known-browsers.js';
import { WebhookHints1760000000331 } from './1760000000331-webhook-hints.js';
import { BlockedStreams1760000000360 } from './1760000000360-blocked-streams.js';
import { TwoPeople1760000000320 } from './1760000000320-two-people.js';
import { TopicIds1760000000361 } from './1760000000361-topic-ids.js';
import { Restores1760000000362 } from './1760000000362-restores.js';
import { DailyLimits1760000000321 } from './1760000000321-daily-limits.js';
import { UnmadeRefunds1760000000480 } from './1760000000480-unmade-refunds.js';
import { LostDebits1760000000510 } from './1760000000510-lost-debits.js';
import { TurnsOfAccounts1760000000370 } from './1760000000370-turns-of-accounts.js';
import { Rebuilds1760000000340 } from './1760000000340-rebuilds.js';
import { AskedByPlatforms1760000000530 } from './1760000000530-asked-by-platforms.js';
import { WonDisputes1760000000500 } from './1760000000500-won-disputes.js';
import { Lists1760000000640 } from './1760000000640-lists.js';
import { AccountProviders1760000000650 } from './1760000000650-account-providers.js';
import {
  CapturesOfTheLedger1760000000660,
} from './1760000000660-captures-of-the-ledger.js';
import { RestoreJobs1760000000680 } from './1760000000680-restore-jobs.js';
import { ShortClaims1760000000670 } from './1760000000670-short-claims.js';
import { StopOldWorkers1760000000600 } from './1760000000600-stop-old-workers.js';
import { Jobs1760000000601 } from './1760000000601-jobs.js';
import { ClaimJobs1760000000602 } from './1760000000602-claim-jobs.js';
import { AccountJobs1760000000603 } from './1760000000603-account-jobs.js';
import { IntentReads1760000000604 } from './1760000000604-intent-reads.js';

/** The orchestrator's database, for its migrations. */
export const orchestratorDataSource = (url: string): DataSource =>
  new DataSource({
    type: 'postgres',
    url,
    migrations: [
      EventLog1760000000001,
      Messaging1760000000002,
      Access1760000000003,
      OrderList1760000000004,
      SkippedMessages1760000000020,
      Upkeep1760000000021,
      Merchants1760000000030,
      MerchantList1760000000032,
      AdminAccess1760000000070,
      AdminLists1760000000071,
      Payouts1760000000050,
      AdminPayments1760000000072,
      MandateUse1760000000090,
      AdminActions1760000000073,
      MerchantExceptions1760000000095,
      ListLooks1760000000100,
      MerchantMismatches1760000000101,
      RepeatedLines1760000000110,
      AdminWishes1760000000120,
      FailedPayouts1760000000130,
      AdminReads1760000000140,
      DeadlineAccounts1760000000150,
      OneAccountAKey1760000000160,
      SparseLedgerAccounts1760000000170,
      LedgerBalances1760000000180,
      AdminAbout1760000000200,
      AdminNames1760000000210,
      SearchReferences1760000000230,
      OrderMoneyBack1760000000240,
      BusinessTimeOfCalls1760000000250,
      StopOldCommits1760000000299,
      Reactions1760000000300,
      ProviderAccountHistory1760000000310,
      IntentsAreOnePayments1760000000350,
      KnownBrowsers1760000000330,
      WebhookHints1760000000331,
      BlockedStreams1760000000360,
      TwoPeople1760000000320,
      TopicIds1760000000361,
      Restores1760000000362,
      DailyLimits1760000000321,
      UnmadeRefunds1760000000480,
      TurnsOfAccounts1760000000370,
      Rebuilds1760000000340,
      LostDebits1760000000510,
      AskedByPlatforms1760000000530,
      WonDisputes1760000000500,
      StopOldWorkers1760000000600,
      Jobs1760000000601,
      ClaimJobs1760000000602,
      AccountJobs1760000000603,
      IntentReads1760000000604,
      Lists1760000000640,
      AccountProviders1760000000650,
      CapturesOfTheLedger1760000000660,
      ShortClaims1760000000670,
      RestoreJobs1760000000680,
    ],
    migrationsTransactionMode: 'each',
  });
