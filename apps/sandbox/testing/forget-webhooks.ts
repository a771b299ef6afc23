import type { Pool } from 'pg';
import { checkStoredEvents } from './check-answers.js';
import type { Harness } from './harness.js';

/**
 * Deletes all webhook endpoints, events, deliveries and injected faults, so that the next test of
 * the spec can use the same sandbox. Rejects when an event does not match the API document.
 */
export const forgetWebhooks = async (sandbox: Harness, admin: Pool): Promise<void> => {
  await sandbox.call('DELETE', '/sandbox/faults');
  await checkStoredEvents(admin);
  await admin.query(`
    DELETE FROM delivery_queue;
    DELETE FROM delivery_leases;
    DELETE FROM delivery_attempts;
    DELETE FROM deliveries;
    DELETE FROM events;
    DELETE FROM webhook_endpoints`);
};
