import type { Page } from 'playwright-core';
import { hasBrowser } from '#testing';
import { ConsoleFixture, signIn } from './support/console.js';

const REASON = 'the provider shows it done';

(hasBrowser() ? describe : describe.skip)('repairs in the console', () => {
  let at: ConsoleFixture;

  beforeAll(async () => {
    at = await ConsoleFixture.start();
  });
  afterAll(() => at.stop());

  /** Says why, looks at what would happen, and asks for it. */
  const repair = async (page: Page, kind: string, last: string): Promise<void> => {
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: new RegExp(`^${kind}:`) }).first().click();
    await dialog.getByLabel('Reason').fill(REASON);
    await dialog.getByRole('button', { name: 'See what would happen' }).click();
    await dialog.getByRole('region', { name: 'What would happen' }).waitFor();
    await dialog.getByRole('button', { name: last }).click();
  };

  test('a capture that timed out is found, understood and repaired by two people', async () => {
    const { paymentId, jobId } = await at.timedOutCapture();
    const page = await at.signedIn('operator');
    await page.getByRole('link', { name: /Stuck calls/ }).click();
    await page.getByRole('link', { name: paymentId }).click();
    await page.getByText('stuck: a person must decide').waitFor();
    await page.getByText('CaptureRequested').first().waitFor();
    await repair(page, 'Settle the call', 'Ask for approval');
    await page.getByText('Nothing is done yet.').waitFor();
    const { rows } = await at.admin.pool.query<{ state: string }>(
      'SELECT state FROM effects WHERE job_id = $1', [jobId]);
    expect(rows[0]?.state).toBe('stuck');
    await page.getByRole('link', { name: 'To the approvals' }).click();
    await page.getByText('Somebody else must approve it.').waitFor();
    expect(await page.getByRole('button', { name: /^Approve:/ }).count()).toBe(0);
    await page.close();

    const second = await at.signedIn('operator', '/approvals');
    await second.getByRole('button', { name: /^Approve: Settle the call/ }).click();
    const dialog = second.getByRole('dialog');
    await dialog.getByRole('region', { name: 'What would happen' }).waitFor();
    await dialog.getByRole('button', { name: 'Approve, and do it' }).click();
    await dialog.getByText('It is done.').waitFor();
    await at.open(second, `/payments/${paymentId}`);
    await second.getByText('Capture accepted').first().waitFor();
    await second.close();
  });

  test('a poison message is parked, and released', async () => {
    const { subjectId } = await at.bench.parked();
    const page = await at.signedIn('operator', '/queues?view=parked');
    await page.getByRole('link', { name: subjectId }).waitFor();
    await repair(page, 'Release', 'Do it');
    await page.getByText('It is done.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('Being let go').waitFor();
    await page.close();
  });

  test('an exception is closed, and says by whom and why', async () => {
    await at.bench.targetFor('close_exception');
    const page = await at.signedIn('operator');
    await page.getByRole('link', { name: /Exceptions/ }).click();
    await page.getByText('paym_1').waitFor();
    await repair(page, 'Close', 'Do it');
    await page.getByText('It is done.').waitFor();
    await at.open(page, '/reconciliation?state=closed');
    await page.getByText(REASON).waitFor();
    await page.close();
  });

  test('a viewer sees all of it, and finds nothing to change', async () => {
    const { paymentId } = await at.timedOutCapture();
    await at.bench.parked();
    await at.bench.targetFor('close_exception');
    const page = await at.signedIn('viewer');
    const changing =
      /^(Refresh|Capture|Refund|Settle|Retry|Release|Skip|Close|Rebuild|Reprocess|Read|New)/;
    for (const path of [
      `/payments/${paymentId}`, '/queues?view=parked', '/queues?view=calls',
      '/queues?view=projections', '/reconciliation', '/webhooks', '/approvals', '/users',
      '/settings?view=accounts',
    ]) {
      await at.open(page, path);
      const found = await page.locator('#main').getByRole('button', { name: changing }).count();
      expect([path, found]).toEqual([path, 0]);
    }
    await page.close();
  });

  test('an admin makes a user, whose password is shown once', async () => {
    const page = await at.signedIn('admin', '/users');
    await page.getByRole('button', { name: 'New user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('grace');
    await dialog.getByLabel('Role').selectOption('operator');
    await dialog.getByLabel('Reason').fill('joins operations');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('dialog', { name: 'One-time password of grace' }).waitFor();
    const password = await page.getByRole('dialog').locator('.mono').innerText();
    await page.getByRole('button', { name: 'I have it' }).click();
    expect(await page.content()).not.toContain(password);
    await page.close();
    const door = await at.door();
    await signIn(door, 'grace', password);
    await door.getByRole('heading', { name: 'Choose your own password' }).waitFor();
    await door.close();
  });
});
