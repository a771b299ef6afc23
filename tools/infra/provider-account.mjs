import { randomUUID } from 'node:crypto';

import { Failure } from './failure.mjs';

/** @type {typeof import('./provider-account.mjs').registerAccount} */
export const registerAccount = async ({ apiUrl, apiKey, merchantId, providerKey }) => {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  };
  const url = `${apiUrl}/v1/provider-accounts`;
  const body = JSON.stringify({ merchantId, mode: 'test', apiKey: providerKey });
  const answer = await fetch(url, { method: 'POST', headers, body });
  const text = await answer.text();
  if (!answer.ok) {
    throw new Failure(
      `The api rejected the registration of the provider account with status ${answer.status}: see its log.`,
      text,
    );
  }
  const { status } = JSON.parse(text);
  if (status !== 'taking_orders') {
    throw new Failure(
      `The merchant ${merchantId} already has another provider account in this database, so the new account is ` +
        `${status}: approve the new account in the console (Settings, Provider accounts), or start with an empty database.`,
    );
  }
};
