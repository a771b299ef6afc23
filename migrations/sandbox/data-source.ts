import { DataSource } from 'typeorm';
import { Sandbox1763700000000 } from './1763700000000-sandbox.js';
import { FullApi1764100000000 } from './1764100000000-full-api.js';
import { Books1764100000001 } from './1764100000001-books.js';
import { Onboarding1764200000000 } from './1764200000000-onboarding.js';
import { PayoutDays1764300000000 } from './1764300000000-payout-days.js';
import { DeliveryLog1764400000000 } from './1764400000000-delivery-log.js';
import { MessagesOfIntent1764500000000 } from './1764500000000-messages-of-intent.js';
import { FairDeliveries1764600000000 } from './1764600000000-fair-deliveries.js';
import { OnboardingEndings1764700000000 } from './1764700000000-onboarding-endings.js';
import { Accounts1764800000000 } from './1764800000000-accounts.js';
import { HashedCodes1764900000000 } from './1764900000000-hashed-codes.js';
import { ListsInOrder1765000000000 } from './1765000000000-lists-in-order.js';
import { EndedCodes1765100000000 } from './1765100000000-ended-codes.js';
import { UnknownOwners1765200000000 } from './1765200000000-unknown-owners.js';
import { WaitingSums1765300000000 } from './1765300000000-waiting-sums.js';
import { LiveDisputes1765400000000 } from './1765400000000-live-disputes.js';

/** The sandbox's database with its migrations, not yet connected. */
export const sandboxDataSource = (url: string): DataSource =>
  new DataSource({
    type: 'postgres',
    url,
    applicationName: 'sandbox-migrate',
    migrations: [
      Sandbox1763700000000, FullApi1764100000000, Books1764100000001, Onboarding1764200000000,
      PayoutDays1764300000000, DeliveryLog1764400000000, MessagesOfIntent1764500000000,
      FairDeliveries1764600000000, OnboardingEndings1764700000000, Accounts1764800000000,
      HashedCodes1764900000000, ListsInOrder1765000000000, EndedCodes1765100000000,
      UnknownOwners1765200000000, WaitingSums1765300000000,
      LiveDisputes1765400000000,
    ],
    migrationsTableName: 'sandbox_migrations',
    migrationsTransactionMode: 'each',
  });
