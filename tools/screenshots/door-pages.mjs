/** The name of the identity provider on its button. */
const PROVIDER = 'Staff login';

/**
 * The pages of users with a second factor: a button of the page, and what differs from the session
 * of the signed-in user.
 */
const FACTOR_PAGES = {
  'sign-in-key': {
    button: /^(Use a security key|Utiliser une clé de sécurité)$/,
    changes: {
      secondFactor: 'code_required',
      hasSecondFactor: true,
      hasAuthenticator: true,
      hasSecurityKey: true,
    },
  },
  'sign-in-set-up': {
    button: /^(Add security key|Ajouter une clé de sécurité)$/,
    changes: {
      secondFactor: 'set_up_required',
      hasSecondFactor: false,
      hasAuthenticator: false,
      hasSecurityKey: false,
    },
  },
};

/**
 * Pictures of the sign-in with an identity provider and with a second factor. The demo has neither,
 * so the browser gets answers of the console's API that are changed accordingly; the page must be
 * signed in. Browsers accept security keys only at a host name.
 */
export const takeDoors = async (page, { url }, pictures) => {
  const session = await (await page.request.get(`${url}/v1/session`)).json();
  const named = url.replace('127.0.0.1', 'localhost');
  const provider = '**/v1/session/identity-provider';
  await page.route(provider, (route) => route.fulfill({ json: { label: PROVIDER } }));
  await page.goto(named);
  await page.getByRole('button', { name: PROVIDER }).waitFor();
  await pictures.take('sign-in-provider');
  // At this name the browser is signed in, too: other requests must not end the session.
  const cookies = await page.context().cookies(url);
  await page.context().addCookies(cookies.map(({ name, value }) => ({ name, value, url: named })));
  for (const [name, { button, changes }] of Object.entries(FACTOR_PAGES)) {
    const json = { ...session, ...changes };
    await page.route('**/v1/session', (route) => route.fulfill({ json }));
    await page.goto(named);
    await page.getByRole('button', { name: button }).waitFor();
    await pictures.take(name);
    await page.unroute('**/v1/session');
  }
  await page.unroute(provider);
};
