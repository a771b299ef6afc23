import pg from 'pg';
import { DataSource } from 'typeorm';
import { Sandbox1766000000000 } from './1766000000000-sandbox.js';
import { DeliveryQueue1766200000000 } from './1766200000000-delivery-queue.js';
import { LeftBank1766300000000 } from './1766300000000-left-bank.js';
import { SignedForms1766400000000 } from './1766400000000-signed-forms.js';
import { CardNumbers1766500000000 } from './1766500000000-card-numbers.js';
import { DebitsOfSubscriptions1766510000000 } from './1766510000000-debits-of-subscriptions.js';
import { UsualNetworks1766520000000 } from './1766520000000-usual-networks.js';

/** The sandbox's database with its migrations, not yet connected. */
export const sandboxDataSource = (url: string): DataSource =>
  new DataSource({
    type: 'postgres',
    // Given, because the bundled program cannot find a package by name.
    driver: pg,
    url,
    applicationName: 'sandbox-migrate',
    migrations: [
      Sandbox1766000000000,
      DeliveryQueue1766200000000,
      LeftBank1766300000000,
      SignedForms1766400000000,
      CardNumbers1766500000000,
      DebitsOfSubscriptions1766510000000,
      UsualNetworks1766520000000,
    ],
    migrationsTableName: 'sandbox_migrations',
    migrationsTransactionMode: 'each',
  });
