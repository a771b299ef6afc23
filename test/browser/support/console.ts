import type { Page } from 'playwright-core';
import { freePort, launchBrowser, type TestBrowser } from '#testing';
import { paymentAggregate, paymentList } from '#payment';
import { LogReader } from '#log';
import { UPCASTERS } from '#orchestrator';
import { instantFromMs, newId } from '#kernel';
import { merchantAggregate, type MerchantCommand, merchantList } from '#onboarding';
import type { Role } from '../../../apps/admin/access/role.js';
import type { RepairKind } from '../../../apps/admin/actions/action.js';
import { ActionBench } from '../../../apps/admin/actions/actions.fixture.js';
import type { AdminConfig } from '../../../apps/admin/admin-config.js';
import {
  type AdminFixture,
  startAdminFixture,
  type TestBrowser as Client,
} from '../../../apps/admin/admin.fixture.js';
import { ProviderDouble } from '../../../apps/admin/provider-double.fixture.js';
import { payOut, type PaidOut } from '../../../apps/api/payouts/payout.fixture.js';
import { drain } from '../../../apps/worker/projections/drain.fixture.js';
import { ProjectionRunner } from '#projections';
import type { Language } from './labels.js';

const WAIT_MS = 20_000;

/** The trace of the capture that `timedOutCapture` requests. */
export const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';

/**
 * The number of users of each role. The users of a role act in turn, because a user may not approve
 * an action that the same user has requested.
 */
const USERS = 2;

interface ConsoleUser {
  readonly userId: string;
  readonly name: string;
  readonly password: string;
}

/** The built console on a running admin app, in a browser. */
export class ConsoleFixture {
  /**
   * The errors that pages reported: script errors, failed requests, and violations of the content
   * security policy.
   */
  readonly complaints: string[] = [];
  /**
   * The session cookies of the users of each role. The users of a role act in turn: the first
   * cookie belongs to the user who acts next, and then moves to the end.
   */
  private readonly sessions = new Map<Role, string[]>();

  private constructor(
    readonly admin: AdminFixture,
    readonly provider: ProviderDouble,
    readonly bench: ActionBench,
    readonly browser: TestBrowser,
    readonly origin: string,
  ) {}

  /**
   * `changes` returns changes to the admin app's configuration, given the console's origin. `host`
   * is the host name of this origin.
   */
  static async start(
    changes: (origin: string) => Promise<Partial<AdminConfig>> = () => Promise.resolve({}),
    host = '127.0.0.1',
  ): Promise<ConsoleFixture> {
    const [port, provider, browser] = await Promise.all([
      freePort(),
      ProviderDouble.start(),
      launchBrowser(),
    ]);
    // The time limit of one browser action is shorter than the limit of a test, so that the error
    // names the action that timed out.
    browser.context.setDefaultTimeout(WAIT_MS);
    const origin = `http://${host}:${port}`;
    const admin = await startAdminFixture({
      port,
      origin,
      providerUrl: provider.url,
      consoleFiles: 'dist/apps/admin/console-build',
      ...(await changes(origin)),
    });
    const bench = await ActionBench.open(admin, provider);
    return new ConsoleFixture(admin, provider, bench, browser, origin);
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.admin.stop();
    await this.provider.stop();
  }

  /** Creates a user who has already replaced the one-time password. */
  async user(role: Role): Promise<ConsoleUser> {
    const { name, id, oneTimePassword } = await this.admin.newUser(role);
    await this.admin.pool.query('UPDATE admin_users SET password_expires_at = NULL WHERE id = $1', [
      id,
    ]);
    return { userId: id, name, password: oneTimePassword };
  }

  /**
   * Opens the browser's page without a session; the page's errors are collected in `complaints`.
   */
  private async page(): Promise<Page> {
    await this.browser.context.clearCookies();
    const page = await this.browser.page();
    page.on('pageerror', ({ message }) => this.complaints.push(message));
    page.on('console', (message) => {
      // Leaves out the error that the browser logs for the 401 of a signed-out user.
      const isSignedOut = message.text().includes('401');
      if (message.type() !== 'error' || isSignedOut) return;
      this.complaints.push(`${message.text()} ${message.location().url}`);
    });
    return page;
  }

  /** Opens the console's sign-in form in the browser. */
  async door(path = '/'): Promise<Page> {
    const page = await this.page();
    await page.goto(`${this.origin}${path}`);
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    return page;
  }

  /** Signs a user in by an HTTP request, because other specs test the sign-in form. */
  private async clientOf({
    name,
    password,
  }: Pick<ConsoleUser, 'name' | 'password'>): Promise<Client> {
    const client = this.admin.browser();
    const headers = { origin: this.origin };
    const { status } = await client.call('POST', '/v1/session', { name, password }, headers);
    if (status !== 201) throw new Error(`the user cannot sign in: ${status}`);
    return client;
  }

  /** The session cookie of a user. */
  async sessionOf(user: Pick<ConsoleUser, 'name' | 'password'>): Promise<string> {
    return (await this.clientOf(user)).cookie;
  }

  /**
   * Approves the pending request of this kind as another operator, by HTTP requests, because other
   * tests approve in the browser.
   */
  async approve(kind: RepairKind): Promise<void> {
    const { rows } = await this.admin.pool.query<{ id: string }>(
      `SELECT id FROM admin_actions WHERE kind = $1 AND status = 'pending'`,
      [kind],
    );
    const path = `/v1/actions/${rows[0]?.id}`;
    const client = await this.clientOf(await this.user('operator'));
    const { digest: seen } = (await client.get(`${path}/preview`)).body;
    const headers = { origin: this.origin };
    const { text, body } = await client.call('POST', `${path}/approve`, { seen }, headers);
    if (body['status'] !== 'done') throw new Error(`the request was not approved: ${text}`);
  }

  /** Opens a page as a signed-in user of this role; consecutive calls use different users. */
  async signedIn(role: Role, path = '/'): Promise<Page> {
    const sessions = this.sessions.get(role) ?? [];
    const next = sessions.length < USERS ? undefined : sessions.shift();
    const session = next ?? (await this.sessionOf(await this.user(role)));
    this.sessions.set(role, [...sessions, session]);
    const page = await this.page();
    const [name = '', value = ''] = session.split('=');
    await this.browser.context.addCookies([{ name, value, url: this.origin }]);
    await this.open(page, path);
    return page;
  }

  /**
   * Signs a user in, as if the user did so in another tab of the browser. All tabs share the
   * session cookie.
   */
  async signInElsewhere(user: Pick<ConsoleUser, 'name' | 'password'>): Promise<void> {
    const [name = '', value = ''] = (await this.sessionOf(user)).split('=');
    await this.browser.context.addCookies([{ name, value, url: this.origin }]);
  }

  /** Sets the language of all console pages that are opened from now on. */
  async speak(language: Language): Promise<void> {
    const page = await this.browser.page();
    if (!page.url().startsWith(this.origin)) await page.goto(this.origin);
    await page.evaluate(`localStorage.setItem('console-language', '${language}')`);
  }

  async endSessions(): Promise<void> {
    await this.admin.pool.query('DELETE FROM admin_sessions');
    this.sessions.clear();
  }

  /** Loads a page of the console by its URL, and waits until the page shows its data. */
  async open(page: Page, path: string): Promise<void> {
    await page.goto(`${this.origin}${path}`);
    await this.shown(page);
  }

  /**
   * Opens a page of the console without a reload, as a click on a link does. This takes a quarter
   * of the time of `open`, but data that the console read in the last seconds is not read again.
   */
  async go(page: Page, path: string): Promise<void> {
    await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`);
    await this.shown(page);
  }

  private async shown(page: Page): Promise<void> {
    try {
      await page.locator('#main h1').waitFor();
      await page.locator('#main:not(:has(.mantine-Skeleton-root, .mantine-Loader-root))').waitFor();
    } catch (cause) {
      throw new Error(await this.whatShows(page, cause), { cause });
    }
  }

  /** The message of a failed wait, with what the page shows instead. */
  private async whatShows(page: Page, cause: unknown): Promise<string> {
    // Uses the error as text if the page is closed or hangs.
    const text = await page.innerText('body', { timeout: 1_000 }).catch(String);
    const complaints = this.complaints.map((one) => `\n  ${one}`).join('') || ' none';
    return `${String(cause)}\n${page.url()} shows:\n${text}\nErrors of pages:${complaints}`;
  }

  /**
   * Creates a payment whose capture request has failed (it timed out until the retries were
   * exhausted), while the provider shows the capture as done.
   */
  async timedOutCapture(): Promise<{ readonly paymentId: string; readonly jobId: string }> {
    const { paymentId } = await this.bench.payment('authorized');
    const metadata = {
      correlationId: paymentId,
      causationId: 'spec',
      actor: 'saga:checkout',
      traceparent: `00-${TRACE_ID}-b7ad6b7169203331-01`,
    };
    await this.admin.store.execute(
      paymentAggregate,
      paymentId,
      {
        type: 'RequestCapture',
        captureId: 'cap_1',
        by: 'platform',
        at: instantFromMs(Date.now()),
      },
      metadata,
    );
    const { rows } = await this.admin.pool.query<{ jobId: string }>(
      `UPDATE jobs SET state = 'stuck', attempts = 20, note = 'timeout',
              updated_at = now() - interval '1 hour'
        WHERE subject_id = $1 AND kind = 'capture' RETURNING key AS "jobId"`,
      [paymentId],
    );
    const jobId = rows[0]?.jobId;
    if (jobId === undefined) throw new Error('a job requests the capture');
    this.provider.intent = { ...this.provider.intent, status: 'to_capture' };
    return { paymentId, jobId };
  }

  /**
   * Creates a refund of 5.00 whose request was lost in the network, so that the provider does not
   * have the refund.
   */
  async lostRefund(): Promise<{ readonly paymentId: string }> {
    const { paymentId } = await this.bench.payment('captured');
    const metadata = {
      correlationId: paymentId,
      causationId: 'spec',
      actor: 'platform:shop',
      traceparent: null,
    };
    await this.admin.store.execute(
      paymentAggregate,
      paymentId,
      {
        type: 'RequestRefund',
        requestId: newId('rfr'),
        amountMinor: 500,
        reference: null,
        reason: null,
        at: instantFromMs(Date.now()),
      },
      metadata,
    );
    await this.admin.pool.query(
      `UPDATE jobs SET state = 'stuck', attempts = 20, note = 'timeout',
              updated_at = now() - interval '1 hour'
        WHERE subject_id = $1 AND kind = 'refund'`,
      [paymentId],
    );
    return { paymentId };
  }

  /** Updates the list of payments as a worker would. */
  async projectPayments(): Promise<void> {
    const { pool } = this.admin;
    const reader = new LogReader(pool, paymentAggregate.upcasters);
    await drain(pool, new ProjectionRunner(pool, reader, [paymentList]));
  }

  /** Creates a payout of three payments, two of which are in our ledger. */
  async paidOut(day?: string): Promise<PaidOut> {
    return payOut(this.admin, { platformId: 'shop', accountId: newId('acc') }, day);
  }

  /**
   * Executes commands of a merchant, and updates the merchant's row in the list of merchants as a
   * worker would.
   */
  async merchantGoes(merchantId: string, ...commands: readonly MerchantCommand[]): Promise<void> {
    const { store, pool } = this.admin;
    const metadata = {
      correlationId: merchantId,
      causationId: 'spec',
      actor: 'platform:shop',
      traceparent: null,
    };
    for (const command of commands) {
      await store.execute(merchantAggregate, merchantId, command, metadata);
    }
    const reader = new LogReader(pool, UPCASTERS);
    await drain(pool, new ProjectionRunner(pool, reader, [merchantList]));
  }
}

export const signIn = async (page: Page, name: string, password: string): Promise<void> => {
  await page.getByLabel('Name').fill(name);
  await page.locator('input[name=password]').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
};
