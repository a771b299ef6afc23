import { createServer, type Server } from 'node:http';
import type { Pool } from 'pg';
import { shipmentsPage } from './page.js';
import { listShipments } from './shipments.js';

interface View {
  readonly type: string;
  readonly body: () => Promise<string>;
}

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'x-content-type-options': 'nosniff',
};

export const createViews = (pool: Pool, metrics: () => Promise<string>): Server => {
  const views: Readonly<Record<string, View>> = {
    '/': {
      type: 'text/html; charset=utf-8',
      body: async () => shipmentsPage(await listShipments(pool)),
    },
    '/shipments': {
      type: 'application/json',
      body: async () => JSON.stringify({ items: await listShipments(pool) }),
    },
    '/health/ready': {
      type: 'application/json',
      body: async () => {
        await pool.query('SELECT 1');
        return '{"status":"ok"}';
      },
    },
    '/metrics': { type: 'text/plain; version=0.0.4', body: metrics },
  };
  return createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const view =
      request.method === 'GET' && Object.hasOwn(views, pathname) ? views[pathname] : undefined;
    if (view === undefined) {
      response.writeHead(404, HEADERS).end();
      return;
    }
    view.body().then(
      (body) => response.writeHead(200, { ...HEADERS, 'content-type': view.type }).end(body),
      () => response.writeHead(503, HEADERS).end(),
    );
  });
};
