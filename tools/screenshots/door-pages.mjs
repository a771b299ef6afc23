/** The text on the button for the sign-in at an identity provider. */
const PROVIDER = 'Staff login';

/**
 * The sign-in pages with a second factor: a button to wait for, and the changes to the session that
 * make the console show the page.
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
 * Takes screenshots of the sign-in with an identity provider and with a second factor. The demo has
 * neither, so the responses of the console's API are changed in the browser. The page must be
 * signed in. Browsers allow security keys only at a host name, not at an IP address.
 */
export const takeDoors = async (page, { url }, pictures) => {
  const session = await (await page.request.get(`${url}/v1/session`)).json();
  const named = url.replace('127.0.0.1', 'localhost');
  const provider = '**/v1/session/identity-provider';
  await page.route(provider, (route) => route.fulfill({ json: { label: PROVIDER } }));
  await page.goto(named);
  await page.getByRole('button', { name: PROVIDER }).waitFor();
  await pictures.take('sign-in-provider');
  // Copies the session cookies to the host name, because requests without them would end the
  // session in the browser.
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
