import pg from 'pg';
import { canonicalUrl } from '../api/addresses.js';
import { PARTNERS_PATH } from '../api/partner/partner-paths.js';
import { paymentDocument } from '../collection/openapi/document.js';
import { onboardingDocument } from '../onboarding/openapi/onboarding-document.js';
import { Documented, type Exchange } from './documented.js';

const payments = new Documented(paymentDocument());
const partners = new Documented(onboardingDocument(), PARTNERS_PATH);

/**
 * Throws when a response of either API does not match its OpenAPI document. Responses of other
 * routes are not checked.
 */
export const checkAnswer = (exchange: Exchange): void => {
  const path = canonicalUrl(exchange.path);
  if (path.startsWith('/v2/')) payments.check({ ...exchange, path });
  else if (path.startsWith(`${PARTNERS_PATH}/`)) partners.check({ ...exchange, path });
};

const MAX_EVENTS = 2_000;

/** Throws when a stored event does not match the OpenAPI document. */
export const checkStoredEvents = async (database: pg.ClientBase | pg.Pool): Promise<void> => {
  const { rows } = await database.query<{ body: string }>(
    'SELECT body FROM events ORDER BY seq DESC LIMIT $1',
    [MAX_EVENTS],
  );
  for (const { body } of rows) payments.checkComponent('EventOut', JSON.parse(body));
};

/** Throws when an event of the database does not match the OpenAPI document. */
export const checkEvents = async (databaseUrl: string): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await checkStoredEvents(client);
  } finally {
    await client.end();
  }
};
