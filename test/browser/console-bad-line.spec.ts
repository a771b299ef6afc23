import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page, Route } from 'playwright-core';
import { hasBrowser } from '#testing';
import { limitAccess } from '../../apps/admin/access/access-walk.fixture.js';
import { ConsoleFixture } from './support/console.js';

/** How long the test waits for the badge to notice a silent connection. */
const SILENCE = { timeout: 60_000 };

/** A stream that opens, sends nothing and never ends, like a connection lost in the network. */
const silentStream = async (): Promise<{ readonly server: Server; readonly url: string }> => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('retry: 10\n\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
};

/** Selects the overview that the server renders into the page; the console's scripts replace it. */
const FIRST_VIEW = '#first-view';
const BACKGROUND = "getComputedStyle(document.querySelector('#first-view')).backgroundColor";

/** Delays the console's scripts until the returned function is called. */
const withoutScripts = async (page: Page): Promise<() => Promise<void>> => {
  const held: Route[] = [];
  let isHeld = true;
  await page.route('**/assets/*.js', async (route) => {
    if (isHeld) held.push(route);
    else await route.continue();
  });
  return async () => {
    isHeld = false;
    await Promise.all(held.map((route) => route.continue()));
  };
};

(hasBrowser() ? describe : describe.skip)('the console on a slow or interrupted line', () => {
  let at: ConsoleFixture;

  beforeAll(async () => {
    at = await ConsoleFixture.start();
  });
  afterAll(() => at.stop());

  const textOfPage = async (
    session: string,
    signal: AbortSignal | null = null,
  ): Promise<string> => {
    const answer = await fetch(`${at.origin}/`, { headers: { cookie: session }, signal });
    return answer.text();
  };

  test('the overview shows what needs attention, with links, before the scripts are loaded, and the console then replaces it', async () => {
    await at.timedOutCapture();
    const page = await at.signedIn('viewer', '/approvals');
    const release = await withoutScripts(page);
    await page.goto(at.origin, { waitUntil: 'commit' });
    const first = page.locator(FIRST_VIEW);
    const tile = first.getByRole('link', { name: '1 Failed provider requests' });
    await tile.waitFor();
    expect(await tile.getAttribute('href')).toBe('/cases?kind=failed_request');
    expect(await first.getByRole('link', { name: '0 Approvals' }).count()).toBe(1);
    expect(await first.getByRole('navigation').getByRole('link').count()).toBeGreaterThan(10);
    expect(await page.locator('#root').isVisible()).toBe(false);
    await release();
    await page.locator('#main').getByText('Failed provider requests', { exact: true }).waitFor();
    expect(await first.count()).toBe(0);
    expect(at.complaints).toEqual([]);
  });

  test('the overview shows an error and its orders, without tiles, while the open cases cannot be read', async () => {
    const page = await at.signedIn('viewer', '/approvals');
    const complained = at.complaints.length;
    await page.route('**/v1/case-totals', (route) => route.fulfill({ status: 503, body: '' }));
    await page.goto(at.origin);
    const main = page.locator('#main');
    await main.getByRole('alert').waitFor();
    await main.getByText('Oldest open orders').waitFor();
    expect(await page.locator(FIRST_VIEW).count()).toBe(0);
    expect(await main.getByRole('link', { name: /Approvals/ }).count()).toBe(0);
    await page.unroute('**/v1/case-totals');
    await main.getByRole('button', { name: 'Try again' }).click();
    await main.getByRole('link', { name: /^0 Approvals/ }).waitFor();
    await main.getByRole('alert').waitFor({ state: 'detached' });
    // Removes the errors that the browser has logged for the status 503.
    at.complaints.splice(complained);
  });

  test('before the scripts are loaded, the overview has the language and color scheme that the user has chosen', async () => {
    const page = await at.signedIn('viewer', '/approvals');
    await page.evaluate("localStorage.setItem('console-language', 'fr')");
    await page.evaluate("localStorage.setItem('mantine-color-scheme-value', 'dark')");
    await at.open(page, '/approvals');
    const release = await withoutScripts(page);
    await page.goto(at.origin, { waitUntil: 'commit' });
    const first = page.locator(FIRST_VIEW);
    await first.getByRole('heading', { name: 'Vue d’ensemble' }).waitFor();
    expect(await page.evaluate(BACKGROUND)).toBe('rgb(18, 20, 23)');
    await release();
    await page.locator('#main h1').waitFor();
    await page.evaluate('localStorage.clear()');
  });

  test('the page of a visitor without a session, or of a user who must first change the password, contains no figures', async () => {
    const user = await at.user('viewer');
    const session = await at.sessionOf(user);
    expect(await textOfPage(session)).toContain('id="first-view"');
    expect(await textOfPage('')).not.toContain('id="first-view"');
    await at.admin.pool.query(
      "UPDATE admin_users SET password_expires_at = now() + interval '1 day' WHERE id = $1",
      [user.userId],
    );
    expect(await textOfPage(session)).not.toContain('id="first-view"');
  });

  test('the page is sent without figures while they cannot be read in time', async () => {
    const session = await at.sessionOf(await at.user('viewer'));
    const holder = await at.admin.pool.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('LOCK TABLE admin_actions');
      // Earlier than the time limit of a statement, after which there are no figures either.
      const early = AbortSignal.timeout(5_000);
      expect(await textOfPage(session, early)).not.toContain('id="first-view"');
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
    expect(await textOfPage(session)).toContain('id="first-view"');
  });

  test('a user limited to some platforms sees only what needs attention there, with links to pages that the user may open', async () => {
    await at.timedOutCapture();
    const user = await at.user('viewer');
    const session = await at.sessionOf(user);
    const failed = /(\d+)<\/span><span class="[^"]*">Failed provider requests</;
    expect(Number(failed.exec(await textOfPage(session))?.[1])).toBeGreaterThan(0);
    await limitAccess(at.admin, user, { scope: [{ platformId: 'mall', merchantId: null }] });
    const limited = await textOfPage(session);
    expect(failed.exec(limited)?.[1]).toBe('0');
    expect(limited).not.toContain('href="/settings"');
    expect(limited).not.toContain('href="/queues');
  });

  test('a user limited to some platforms downloads the rows of a list at once, without exports in the background', async () => {
    const user = await at.user('viewer');
    const page = await at.door();
    await at.signInElsewhere(user);
    const exports = async () => {
      await at.open(page, '/orders');
      await page.getByRole('link', { name: 'Export CSV' }).waitFor();
      return page.getByRole('button', { name: 'Exports' }).count();
    };
    expect(await exports()).toBe(1);
    await limitAccess(at.admin, user, { scope: [{ platformId: 'shop', merchantId: null }] });
    expect(await exports()).toBe(0);
  });

  test('the badge shows “Offline” while the browser is offline, and “Connected” when the browser is online again', async () => {
    const page = await at.signedIn('viewer', '/orders');
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.context().setOffline(true);
    await page.getByText('Offline', { exact: true }).waitFor();
    expect(await page.getByText('Connected', { exact: true }).count()).toBe(0);
    await page.context().setOffline(false);
    await page.getByText('Connected', { exact: true }).waitFor();
  });

  test('the badge hides “Connected” when the event stream is silent, and shows “Connected” after a reconnect', async () => {
    const page = await at.signedIn('viewer', '/');
    const { server, url } = await silentStream();
    let opened = 0;
    let answer = (): void => {};
    await page.route('**/v1/changes', async (route) => {
      opened += 1;
      if (opened === 1) return route.continue({ url });
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return route.continue();
    });
    await at.open(page, '/orders');
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.getByText('Reconnecting …').waitFor(SILENCE);
    answer();
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    server.closeAllConnections();
    server.close();
  });
});
