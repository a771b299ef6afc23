import pg from 'pg';
import { KafkaPublisher } from '#kafka';
import { ProviderTransport } from '#psp-hosted';
import { killPointsHere } from './kill-points.js';

/**
 * Calls the kill points in the process under test: before and after each commit of steps, each
 * publication, and each request that changes something at the provider.
 */

const reached = killPointsHere();

const { query } = pg.Client.prototype as { query: (...args: unknown[]) => unknown };
const { publish } = KafkaPublisher.prototype;
const { send } = ProviderTransport.prototype;

const isCommit = (statement: unknown): boolean =>
  String((statement as { readonly name?: unknown } | undefined)?.name).startsWith('commit-steps');

const commit = async (client: pg.Client, args: unknown[]): Promise<unknown> => {
  reached('before commit');
  const result = await query.apply(client, args);
  reached('after commit');
  return result;
};

Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...args: unknown[]) {
    return isCommit(args[0]) ? commit(this, args) : query.apply(this, args);
  },
});

Object.assign(KafkaPublisher.prototype, {
  async publish(this: KafkaPublisher, ...args: Parameters<typeof publish>) {
    reached('before publish');
    await publish.apply(this, args);
    reached('after publish');
  },
});

Object.assign(ProviderTransport.prototype, {
  async send(this: ProviderTransport, ...args: Parameters<typeof send>) {
    const [, { method }] = args;
    if (method === 'GET') return send.apply(this, args);
    reached('before request');
    try {
      return await send.apply(this, args);
    } finally {
      reached('after response');
    }
  },
});
