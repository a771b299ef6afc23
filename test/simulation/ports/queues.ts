import type { WaitingSagas } from '#log';
import type { WebhookQueue } from '../../../apps/worker/payments/webhook-queue.js';
import type { SagaRow, SimulatedDatabase, WebhookRow } from './database.js';
import type { Exchange } from './exchange.js';

const CLAIM_MS = 30_000;

/** @param onIgnored is called for each webhook that is completed without an event */
export const simulatedWebhooks = (
  database: SimulatedDatabase,
  exchange: Exchange,
  onIgnored: (webhook: WebhookRow) => void,
): Pick<WebhookQueue, 'handled' | 'failed'> => ({
  handled: (ids) =>
    exchange('end webhooks', 'plain', () => {
      for (const row of database.webhooks) {
        if (!ids.includes(row.id)) continue;
        row.handled = true;
        onIgnored(row);
      }
    }),
  failed: () => exchange('record failed webhooks', 'plain', () => undefined),
});

/** The sagas whose failed reaction is due for a retry. */
export const claimableReactions = (
  database: SimulatedDatabase,
  nowMs: number,
): readonly SagaRow[] =>
  [...database.sagas.values()].filter(
    ({ waiting, retryAtMs }) => waiting !== null && retryAtMs !== null && retryAtMs <= nowMs,
  );

export const simulatedReactions = (
  database: SimulatedDatabase,
  exchange: Exchange,
  nowMs: () => number,
): Pick<WaitingSagas, 'claim'> => ({
  claim: (limit) =>
    exchange('claim reactions', 'plain', () =>
      claimableReactions(database, nowMs())
        .slice(0, limit)
        .map((row) => {
          row.retryAtMs = nowMs() + CLAIM_MS;
          return { saga: row.saga, key: row.key };
        }),
    ),
});
