import { assert } from '#kernel';
import { createDatabase, developmentCertificate, kafkaBrokers } from '#testing';
import type { Servers } from '../../tools/stack/stack.js';

/** PostgreSQL and Kafka, which the test runner has started for all specs. */
export const runnersServers = (): Servers => {
  const databaseUrl = process.env['DATABASE_URL'];
  assert(databaseUrl !== undefined, 'this spec needs DATABASE_URL, which `npm test -- …` sets');
  return {
    databaseUrl,
    brokers: kafkaBrokers().join(','),
    tls: developmentCertificate(),
    makeDatabase: async (kind) => (await createDatabase(kind)).url,
  };
};
