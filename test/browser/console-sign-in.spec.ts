import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { parseApiKey } from '#platform';
import { hasBrowser } from '#testing';
import { violationsInBoth } from '../../tools/infra/axe.mjs';
import { CLIENT, OpenIdProvider } from '../../apps/admin/access/openid-provider.fixture.js';
import { ConsoleFixture, signIn } from './support/console.js';

(hasBrowser() ? describe : describe.skip)('the sign-in of the console', () => {
  let at: ConsoleFixture;
  let provider: OpenIdProvider;

  beforeAll(async () => {
    at = await ConsoleFixture.start(async (origin) => {
      provider = await OpenIdProvider.start(origin);
      return { identityProvider: { issuer: provider.issuer, ...CLIENT, label: 'Staff login' } };
      // Browsers allow no security keys at an IP address.
    }, 'localhost');
  });
  afterEach(() => at.admin.requireSecondFactor(false));
  afterAll(async () => {
    await at.stop();
    await provider.stop();
  });

  test('a wrong password is refused with a message, and the right password signs in', async () => {
    const { name, password } = await at.user('viewer');
    const page = await at.door('/orders');
    await signIn(page, name, 'not the right one');
    await page.getByText('Wrong name or password.').waitFor();
    await signIn(page, name, password);
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).waitFor();
    expect(await violationsInBoth(page)).toEqual([]);
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  test('a sign-in with a one-time password allows only the choice of a new password', async () => {
    const { name, oneTimePassword } = await at.admin.newUser('operator');
    const page = await at.door('/queues');
    await signIn(page, name, oneTimePassword);
    await page.getByRole('heading', { name: 'Choose your password' }).waitFor();
    expect(await violationsInBoth(page)).toEqual([]);
    const chosen = 'four words that differ';
    await page.getByLabel('Current password').fill(oneTimePassword);
    await page.getByLabel('New password', { exact: true }).fill(chosen);
    await page.getByLabel('Repeat new password').fill('four words which differ');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('The passwords do not match.').waitFor();
    await page.getByLabel('Repeat new password').fill(chosen);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('heading', { level: 1, name: 'Queues' }).waitFor();
  });

  test('an operator sets up the required second factor, and later signs in with a code', async () => {
    const { paymentId } = await at.bench.payment('captured');
    at.admin.requireSecondFactor(true);
    const { name, password } = await at.user('operator');
    const page = await at.door(`/payments/${paymentId}`);
    await signIn(page, name, password);
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
    await page.getByRole('button', { name: 'Begin' }).click();
    await page.getByRole('img', { name: 'QR code with the secret' }).waitFor();
    expect(await violationsInBoth(page)).toEqual([]);
    const secret = Secret.fromBase32(await page.locator('main .mono').innerText());
    const code = (): string => new TOTP({ secret }).generate();
    await page.getByLabel('Code that the app shows').fill('12345');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('The code is wrong, expired or already used.').waitFor();
    await page.getByLabel('Code that the app shows').fill(code());
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor();
    expect(await violationsInBoth(page)).toEqual([]);
    const [recoveryCode = ''] = await page.locator('main li').allInnerTexts();
    await page.getByRole('button', { name: 'I have stored the codes' }).click();

    await page.getByRole('button', { name: /^Refund:/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('the parcel never came');
    await at.endSessions();
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await page.locator('input[name=password]').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Enter a code' }).waitFor();
    expect(await dialog.count()).toBe(0);
    expect(await violationsInBoth(page)).toEqual([]);
    await page.getByLabel('Code').fill(recoveryCode);
    await page.getByRole('button', { name: 'Continue' }).click();
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('the parcel never came');
    await dialog.getByRole('button', { name: 'Back' }).click();

    // The user now replaces the second factor in the account menu, which requires a code of the
    // current authenticator app.
    await at.admin.pool.query('UPDATE admin_second_factors SET last_step = 0');
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Second factor' }).click();
    await dialog.getByRole('button', { name: 'Replace' }).click();
    await dialog.getByLabel('Code').fill(code());
    await dialog.getByRole('button', { name: 'Begin' }).click();
    await dialog.getByRole('img', { name: 'QR code with the secret' }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    at.admin.requireSecondFactor(false);

    const admin = await at.signedIn('admin', '/users');
    await admin.getByRole('button', { name: `Reset second factor: ${name}` }).click();
    await dialog.getByLabel('Reason').fill('lost the phone');
    await dialog.getByRole('button', { name: 'Reset second factor' }).click();
    const second = await at.signedIn('admin', '/approvals');
    await second.getByRole('button', { name: /^Approve: Reset second factor/ }).click();
    await second.getByText(`The sessions of ${name} (operator) end`).waitFor();
    await second.getByRole('button', { name: 'Approve and run' }).click();
    await second.getByRole('dialog').getByText('The action is done.').waitFor();
    const back = await at.door('/orders');
    await signIn(back, name, password);
    await back.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  });

  test('an operator adds a security key as the required second factor, signs in with it, and removes it', async () => {
    at.admin.requireSecondFactor(true);
    const { name, password } = await at.user('operator');
    const page = await at.door('/orders');
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'usb',
        hasResidentKey: false,
        hasUserVerification: false,
        automaticPresenceSimulation: true,
      },
    });
    await signIn(page, name, password);
    await page.getByLabel('Name of the key').fill('blue');
    expect(await violationsInBoth(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add security key' }).click();
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor();
    await page.getByRole('button', { name: 'I have stored the codes' }).click();
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();

    await at.endSessions();
    await page.reload();
    await signIn(page, name, password);
    await page.getByRole('heading', { name: 'Confirm with your second factor' }).waitFor();
    expect(await violationsInBoth(page)).toEqual([]);
    await page.getByText('Français').click();
    await page.getByRole('button', { name: 'Utiliser une clé de sécurité' }).waitFor();
    await page.getByText('English').click();
    await page.getByRole('button', { name: 'Use a security key' }).click();
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();

    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Second factor' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Security key: blue').waitFor();
    expect(await violationsInBoth(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Remove: blue' }).click();
    await dialog.getByRole('button', { name: 'Use a security key' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Second factor' }).click();
    await dialog.getByRole('button', { name: 'Set up' }).waitFor();
    expect(await dialog.getByText('Security key: blue').count()).toBe(0);
    await devtools.detach();
  });

  test('the console shows the sign-in form when the server has ended the session', async () => {
    const page = await at.signedIn('viewer', '/orders');
    await at.endSessions();
    // The click is dispatched by script, because the sign-in form may already cover the link: the
    // console shows the form as soon as the open list gets a 401.
    await page.locator('a[href="/payments"]').dispatchEvent('click');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  test('text typed in a dialog before the session ended is shown after the next sign-in, but only to the same user', async () => {
    const { paymentId } = await at.bench.payment('captured');
    const { name, password } = await at.user('operator');
    const typing = async (): Promise<Page> => {
      const page = await at.door(`/payments/${paymentId}`);
      await signIn(page, name, password);
      await page.getByRole('button', { name: /^Refund:/ }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Amount in EUR').fill('5.00');
      await dialog.getByLabel('Reason').fill('the parcel never came');
      await at.endSessions();
      await dialog.getByRole('button', { name: 'Preview' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(await page.getByText('the parcel never came').isVisible()).toBe(false);
      expect(await dialog.count()).toBe(0);
      return page;
    };
    const page = await typing();
    expect(await violationsInBoth(page)).toEqual([]);
    await page.locator('input[name=password]').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('the parcel never came');
    expect(await dialog.getByLabel('Amount in EUR').inputValue()).toBe('5.00');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('region', { name: 'Preview' }).getByText('€5.00').first().waitFor();

    const left = await typing();
    const other = await at.user('operator');
    await signIn(left, other.name, other.password);
    await left.getByRole('button', { name: /^Refund:/ }).waitFor();
    expect(await left.content()).not.toContain('the parcel never came');
  });

  test('when another tab has signed in again, the same user continues on the page, and another user gets a new page', async () => {
    const { paymentId } = await at.bench.payment('captured');
    const user = await at.user('operator');
    const page = await at.door(`/payments/${paymentId}`);
    await signIn(page, user.name, user.password);
    await page.getByRole('button', { name: /^Refund:/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount in EUR').fill('5.00');
    await dialog.getByLabel('Reason').fill('the parcel never came');
    await at.signInElsewhere(user);
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('You have signed in again in another tab.').waitFor();
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('region', { name: 'Preview' }).getByText('€5.00').first().waitFor();
    await at.signInElsewhere(await at.user('operator'));
    await dialog.getByRole('button', { name: 'Request approval' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Refund:/ }).waitFor();
    expect(await page.content()).not.toContain('the parcel never came');
  });

  test('the console reports a failed sign-out, and a user can sign out of an expired session', async () => {
    const page = await at.signedIn('viewer', '/orders');
    const leave = async (name: string, status: number): Promise<void> => {
      await page.route('**/v1/session*', (route) =>
        route.request().method() === 'DELETE' ? route.fulfill({ status }) : route.continue(),
      );
      await page.getByRole('button', { name: 'Your account' }).click();
      await page.getByRole('menuitem', { name, exact: true }).click();
    };
    for (const name of ['Sign out', 'Sign out everywhere']) {
      await leave(name, 503);
      const alert = page.getByRole('dialog', { name: 'You are still signed in' });
      await alert.getByRole('alert').waitFor();
      await alert.getByRole('button', { name: 'Close' }).click();
      await alert.waitFor({ state: 'detached' });
    }
    await leave('Sign out', 401);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  test('an admin registers an account at the identity provider, with which the user signs in', async () => {
    const user = await at.user('viewer');
    const admin = await at.signedIn('admin', '/users');
    await admin.getByRole('button', { name: `Link single sign-on: ${user.name}` }).click();
    await admin.getByRole('dialog').getByLabel('Email address').fill('grace@company.example');
    await admin.getByRole('dialog').getByLabel('Reason').fill('has an account of the company');
    expect(await violationsInBoth(admin)).toEqual([]);
    await admin.getByRole('dialog').getByRole('button', { name: 'Link single sign-on' }).click();
    await admin
      .getByRole('row', { name: new RegExp(`${user.name}.*Awaits the first sign-in`) })
      .waitFor();

    const page = await at.door('/orders?platformId=shop');
    const signInThere = page.getByRole('button', { name: 'Sign in with Staff login' });
    provider.reset({ subject: 'grace', email: 'grace@company.example', isVerified: false });
    await signInThere.click();
    await page.getByText('The identity provider has not verified your email address.').waitFor();
    await page.getByText('Français').click();
    await page.getByText('n’a pas vérifié votre adresse e-mail').waitFor();
    await page.getByText('English').click();

    provider.reset({ subject: 'grace', email: 'grace@company.example' });
    await signInThere.click();
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
    // The user returns to the page before the sign-in, and the URL no longer contains the identity
    // provider's code.
    expect(page.url()).toBe(`${at.origin}/orders?platformId=shop`);
  });

  test('text typed before the session ended is kept while the user signs in at the identity provider', async () => {
    const { paymentId } = await at.bench.payment('captured');
    const { name, password } = await at.user('operator');
    await at.admin.pool.query(
      `INSERT INTO admin_identities (user_id, email, registered_by)
       SELECT id, 'ada@company.example', 'spec' FROM admin_users WHERE name = $1`,
      [name],
    );
    provider.reset({ subject: 'ada', email: 'ada@company.example' });
    const page = await at.door(`/payments/${paymentId}`);
    await signIn(page, name, password);
    await page.getByRole('button', { name: /^Refund:/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('the parcel never came');
    await at.endSessions();
    await dialog.getByRole('button', { name: 'Preview' }).click();
    const opened = page.context().waitForEvent('page');
    await page.getByRole('button', { name: 'Sign in with Staff login' }).click();
    const tab = await opened;
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('the parcel never came');
    await tab.close();
  });

  test('the sign-in form is shown in French to users who choose French', async () => {
    const page = await at.door();
    await page.getByText('Français').click();
    await page.getByRole('heading', { name: 'Se connecter' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('fr');
    await page.route('**/v1/session', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        json: { code: 'busy', detail: 'too much happens to this at once' },
      }),
    );
    await page.getByLabel('Nom').fill('grace');
    await page.locator('input[name=password]').fill('four words that differ');
    await page.getByRole('button', { name: 'Se connecter', exact: true }).click();
    await page.getByText('Réessayez').waitFor();
    expect(await page.getByText('too much').count()).toBe(0);
    await page.unroute('**/v1/session');
    expect(await violationsInBoth(page)).toEqual([]);
    await page.getByText('English').click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  test('an admin creates a user, and the console shows the new user’s password once', async () => {
    const page = await at.signedIn('admin', '/users');
    await page.getByRole('button', { name: 'Create user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('grace');
    await dialog.getByLabel('Role').selectOption('operator');
    await dialog.getByLabel('Platforms and merchants').fill('shop');
    await dialog.getByLabel('Highest amount of one action').fill('eur 500.00');
    await dialog.getByLabel('Reason').fill('joins operations');
    expect(await violationsInBoth(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('dialog', { name: 'One-time password of grace' }).waitFor();
    expect(await violationsInBoth(page)).toEqual([]);
    const password = await page.getByRole('dialog').locator('.mono').innerText();
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.toContain(password);
    // A new user can sign in only after a second admin has approved the creation.
    const second = await at.signedIn('admin', '/approvals');
    await second.getByRole('button', { name: /^Approve: Create user/ }).click();
    await second.getByText('grace can sign in with the operator role. Sees shop;').waitFor();
    await second.getByText('highest amounts of one action: €500.00.').waitFor();
    await second.getByRole('button', { name: 'Approve and run' }).click();
    await second.getByRole('dialog').getByText('The action is done.').waitFor();
    const door = await at.door();
    await signIn(door, 'grace', password);
    await door.getByRole('heading', { name: 'Choose your password' }).waitFor();
  });

  test('an admin creates an API key, which the console shows once, and revokes the key', async () => {
    const page = await at.signedIn('admin', '/settings?view=keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Platform').fill('shop');
    await dialog.getByLabel('orders:read').check();
    await dialog.getByLabel('Reason').fill('the shop rolls its key over');
    expect(await violationsInBoth(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog', { name: 'New API key' }).waitFor();
    expect(await violationsInBoth(page)).toEqual([]);
    const key = await page.getByRole('dialog').locator('.mono').innerText();
    await page.getByRole('button', { name: 'Done' }).click();
    const prefix = parseApiKey(key)?.prefix ?? 'none';
    await page.getByRole('row', { name: new RegExp(`${prefix}.*Active`) }).waitFor();
    expect(await page.content()).not.toContain(key);
    await page.getByRole('button', { name: `Revoke: ${prefix}` }).click();
    const reason = dialog.getByLabel('Reason');
    await reason.fill('ann@example.org says that it leaked');
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/contains an email address/)
      .waitFor();
    expect(await violationsInBoth(page)).toEqual([]);
    expect(await reason.getAttribute('aria-invalid')).toBe('true');
    const describedBy = (await reason.getAttribute('aria-describedby')) ?? '';
    const descriptions = await Promise.all(
      describedBy
        .split(' ')
        .filter((id) => id !== '')
        .map((id) => page.locator(`[id="${id}"]`).innerText()),
    );
    expect(descriptions.join(' ')).toContain('contains an email address');
    await reason.fill('it was for a try');
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('row', { name: new RegExp(`${prefix}.*Revoked`) }).waitFor();
  });
});
