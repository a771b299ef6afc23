import type { Page } from 'playwright-core';
import { instantFromMs, newId } from '#kernel';
import { hasBrowser } from '#testing';
import { settled } from '../../tools/infra/axe.mjs';
import { ConsoleFixture } from './support/console.js';
import { DelayedChanges } from './support/event-stream.js';

const UPDATES = 2;

/**
 * The most DOM mutations that one live update may cause in a list: a row is added, or a text and
 * its title change.
 */
const MUTATIONS_OF_UPDATE = 4;

interface List {
  readonly path: string;
  /** The path of the page's API request. */
  readonly api: string;
  /** The SQL statement that changes the list, and so the next response of `api`. */
  readonly change: string;
  /** Whether the list has no focusable element, such as a link or button. */
  readonly isPlain?: boolean;
}

const LISTS: readonly List[] = [
  {
    path: '/orders',
    api: '/v1/orders',
    change: `INSERT INTO order_list VALUES ('ord_new_' || $1, 'shop', 'm1', 'NEW-' || $1, 990, 'eur',
               'open', 'pay_' || $1, now(), 1)`,
  },
  {
    path: '/payments',
    api: '/v1/payments',
    change: 'UPDATE payment_list SET refunded_minor = $1',
  },
  { path: '/payouts', api: '/v1/payouts', change: `UPDATE payout_list SET reference = 'R-' || $1` },
  {
    path: '/payouts/PAYOUT',
    api: '/v1/payouts/PAYOUT/lines',
    change: 'UPDATE payout_lines SET fee_minor = $1',
  },
  {
    path: '/reconciliation',
    api: '/v1/exceptions',
    change: `UPDATE reconciliation_exceptions SET observed = 'seen ' || $1`,
  },
  {
    path: '/merchants?view=list',
    api: '/v1/merchants',
    change: `UPDATE merchant_list SET reference = 'Atelier ' || $1`,
  },
  {
    path: '/merchants',
    api: '/v1/merchant-board',
    change: `UPDATE merchant_list SET reference = 'Atelier ' || $1`,
  },
  {
    path: '/webhooks',
    api: '/v1/webhooks',
    change: `UPDATE webhooks_received SET type = 'payment.' || $1`,
  },
  {
    path: '/webhooks?view=refused',
    api: '/v1/webhooks-refused',
    isPlain: true,
    change: 'UPDATE webhooks_refused SET body_bytes = $1',
  },
  {
    path: '/approvals',
    api: '/v1/actions',
    change: `UPDATE admin_actions SET reason = 'reason ' || $1`,
  },
  {
    path: '/queues',
    api: '/v1/queues',
    isPlain: true,
    change: `UPDATE jobs SET updated_at = now() - $1 * interval '1 day'`,
  },
  {
    path: '/queues?view=failed',
    api: '/v1/failed-reactions',
    change: `UPDATE sagas SET waiting = jsonb_set(waiting, '{attempts}', to_jsonb($1::int))`,
  },
  {
    path: '/queues?view=discarded',
    api: '/v1/discarded-reactions',
    change: `UPDATE discarded_reactions SET reason = 'reason ' || $1`,
  },
  {
    path: '/cases?kind=reconciliation_break',
    api: '/v1/cases',
    change: 'UPDATE reconciliation_exceptions SET amount_minor = $1',
  },
  {
    path: '/queues?view=projections',
    api: '/v1/projections',
    change: `INSERT INTO projection_rebuilds (projection, started_at, ended_at)
             VALUES ('order_list', now(), now() - $1 * interval '1 minute')`,
  },
  {
    path: '/settings',
    api: '/v1/platforms',
    isPlain: true,
    change: `UPDATE api_keys SET platform_id = 'shop-' || $1`,
  },
  {
    path: '/settings?view=keys',
    api: '/v1/api-keys',
    change: `UPDATE api_keys SET platform_id = 'shop-' || $1`,
  },
  {
    path: '/settings?view=accounts',
    api: '/v1/provider-accounts',
    change: `UPDATE provider_accounts SET webhook_endpoint_id = 'we_' || $1`,
  },
  {
    path: '/users',
    api: '/v1/users',
    change: `UPDATE admin_users SET password_expires_at = CASE $1 % 2 WHEN 0 THEN now() END
              WHERE name = 'other'`,
  },
  {
    path: '/audit',
    api: '/v1/audit',
    change: `INSERT INTO audit (at, actor, action, subject_type, subject_id, request_id, detail)
             VALUES (now(), 'ops:spec', 'spec.done', 'order', 'ord_1', 'req', '{"n": 1}')`,
  },
];

/**
 * Focuses the first link or button of the list, stores the list's elements, and counts further DOM
 * mutations.
 */
const watch = (page: Page, isPlain: boolean): Promise<boolean> =>
  page.evaluate<boolean>(`(() => {
  const rows = document.querySelector('#main tbody, #main [role=region] ul');
  const within = [...rows.querySelectorAll('td > *, a')];
  const held = rows.querySelector('a, button, summary');
  held?.focus();
  window.watched = { held, within, mutations: 0 };
  new MutationObserver((all) => { window.watched.mutations += all.length; }).observe(rows,
    { subtree: true, childList: true, attributes: true, characterData: true });
  return ${isPlain} || (held !== null && document.activeElement === held);
})()`);

interface Seen {
  readonly isHeld: boolean;
  /** How many of the elements that the list had before the update were removed or replaced. */
  readonly remade: number;
  readonly mutations: number;
}

const seenOn = async (page: Page): Promise<Seen> => {
  await settled(page);
  return page.evaluate<Seen>(`({
    isHeld: window.watched.held === null || document.activeElement === window.watched.held,
    remade: window.watched.within.filter(({ isConnected }) => !isConnected).length,
    mutations: window.watched.mutations,
  })`);
};

(hasBrowser() ? describe : describe.skip)('live updates of the console', () => {
  let at: ConsoleFixture;
  let page: Page;
  let changes: DelayedChanges;
  let payoutId: string;

  beforeAll(async () => {
    at = await ConsoleFixture.start();
    const { pool } = at.admin;
    await at.timedOutCapture();
    ({ payoutId } = await at.paidOut());
    await at.bench.failedReaction();
    for (const kind of ['close_exception', 'reprocess_webhook', 'rebuild_projection'] as const) {
      await at.bench.targetFor(kind);
    }
    const { id } = await at.admin.newUser('operator');
    await pool.query(`UPDATE admin_users SET name = 'other' WHERE id = $1`, [id]);
    const merchantId = newId('mer');
    await at.merchantGoes(merchantId, {
      type: 'DraftMerchant',
      platformId: 'shop',
      reference: 'Boulangerie',
      mode: 'test',
      firstTerminal: null,
      detailsRef: newId('det'),
      at: instantFromMs(Date.now()),
    });
    await pool.query(`
      INSERT INTO order_list VALUES
        ('ord_1', 'shop', 'm1', 'OLD-1', 990, 'eur', 'paid', 'pay_1', now() - interval '1 day', 1);
      INSERT INTO payment_list VALUES
        ('pay_1', 'ord_1', 'shop', 'acc_1', 990, 'eur', 'captured', 'pi_1', '{}', '{}', 0, false,
         false, now(), 1);
      INSERT INTO webhooks_refused (account_id, reason, body_bytes, body_sha256)
      VALUES ('acc_1', 'signature', 1, '');
      INSERT INTO api_keys (prefix, platform_id, hash, scopes)
      VALUES ('prefix', 'shop', '', '{orders:read}');
      INSERT INTO projection_rebuilds (projection, started_at, ended_at)
      VALUES ('order_list', now(), now());
      INSERT INTO discarded_reactions
             (saga, key, stream_type, stream_id, version, stimulus, error, reason, actor)
      VALUES ('checkout', 'ord_1', 'order', 'ord_1', 1, 'OrderPlaced', 'it broke', 'why', 'user:a');
      INSERT INTO admin_actions (id, kind, target, subject_type, subject_id, reason, requested_by,
                                 expires_at, status)
      VALUES ('act_1', 'capture', '{"subjectId": "pay_1"}', 'payment', 'pay_1', 'why', '${id}',
              now() + interval '1 hour', 'pending');
    `);
    page = await at.signedIn('admin');
    changes = await DelayedChanges.of(page);
    await at.open(page, '/');
  });
  afterAll(async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await at.stop();
  });

  test.each(LISTS)(
    'a live update of the list at $path leaves the keyboard focus where it was',
    async ({ path, api, change, isPlain = false }) => {
      const reading = api.replace('PAYOUT', payoutId);
      await at.go(page, path.replace('PAYOUT', payoutId));
      await page.locator('#main tbody td, #main [role=region] a').first().waitFor();
      expect(await watch(page, isPlain)).toBe(true);
      for (let update = 1; update <= UPDATES; update += 1) {
        await at.admin.pool.query(change, change.includes('$1') ? [update] : []);
        const read = page.waitForResponse(
          (response) => new URL(response.url()).pathname === reading,
        );
        await changes.happen();
        await (await read).finished();
      }
      const seen = await seenOn(page);
      expect(seen).toMatchObject({ isHeld: true, remade: 0 });
      expect(seen.mutations).toBeLessThanOrEqual(UPDATES * MUTATIONS_OF_UPDATE);
    },
  );
});
