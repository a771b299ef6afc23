import { hasBrowser } from '#testing';
import { ConsoleFixture, signIn, violationsOn } from './support/console.js';

(hasBrowser() ? describe : describe.skip)('the door of the console', () => {
  let at: ConsoleFixture;

  beforeAll(async () => {
    at = await ConsoleFixture.start();
  });
  afterAll(() => at.stop());

  test('a wrong password is refused in words, and the right one opens', async () => {
    const { name, password } = await at.user('viewer');
    const page = await at.door('/orders');
    await signIn(page, name, 'not the right one');
    await page.getByText('The name or the password is not right.').waitFor();
    await signIn(page, name, password);
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.close();
  });

  test('a one-time password leads to a password of one’s own, and to nothing else', async () => {
    const { name, oneTimePassword } = await at.admin.newUser('operator');
    const page = await at.door('/queues');
    await signIn(page, name, oneTimePassword);
    await page.getByRole('heading', { name: 'Choose your own password' }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    const chosen = 'four words that differ';
    await page.getByLabel('Password now').fill(oneTimePassword);
    await page.getByLabel('New password', { exact: true }).fill(chosen);
    await page.getByLabel('New password, again').fill('four words which differ');
    await page.getByRole('button', { name: 'Change it' }).click();
    await page.getByText('The two are not the same.').waitFor();
    await page.getByLabel('New password, again').fill(chosen);
    await page.getByRole('button', { name: 'Change it' }).click();
    await page.getByRole('heading', { level: 1, name: 'Queues' }).waitFor();
    await page.close();
  });

  test('a session that ended elsewhere shows the door', async () => {
    const page = await at.signedIn('viewer', '/orders');
    await at.admin.pool.query('DELETE FROM admin_sessions');
    await page.getByRole('link', { name: 'Payments', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.close();
  });

  test('a sign-out that fails is told, and one of a session that is over leads out', async () => {
    const page = await at.signedIn('viewer', '/orders');
    const leave = async (name: string, status: number): Promise<void> => {
      await page.route('**/v1/session*', (route) =>
        route.request().method() === 'DELETE' ? route.fulfill({ status }) : route.continue());
      await page.getByRole('button', { name: 'Your account' }).click();
      await page.getByRole('menuitem', { name, exact: true }).click();
    };
    for (const name of ['Sign out', 'Sign out everywhere']) {
      await leave(name, 503);
      const told = page.getByRole('dialog', { name: 'You are still signed in' });
      await told.getByRole('alert').waitFor();
      await told.getByRole('button', { name: 'Close' }).click();
      await told.waitFor({ state: 'detached' });
    }
    await leave('Sign out', 401);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.close();
  });

  test('the door speaks French to who chooses it', async () => {
    const page = await at.door();
    await page.getByText('Français').click();
    await page.getByRole('heading', { name: 'Se connecter' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('fr');
    await page.route('**/v1/session', (route) => route.fulfill({
      status: 503, contentType: 'application/problem+json',
      json: { code: 'busy', detail: 'too much happens to this at once' },
    }));
    await page.getByLabel('Nom').fill('grace');
    await page.locator('input[name=password]').fill('four words that differ');
    await page.getByRole('button', { name: 'Se connecter' }).click();
    await page.getByText('Réessayez').waitFor();
    expect(await page.getByText('too much').count()).toBe(0);
    await page.unroute('**/v1/session');
    expect(await violationsOn(page)).toEqual([]);
    await page.getByText('English').click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.close();
  });
});
