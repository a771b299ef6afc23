import { Failure } from '../infra/failure.mjs';

/**
 * Test values of the sandbox: a card with 3-D Secure, a card that is refused, and an account that
 * can be debited.
 */
const CARD = '9999000000000012';
const REFUSED_CARD = '9999000000000137';
const IBAN = 'FR7600000000000000000000194';

const READY = 'html[data-ready=yes]';

/**
 * Creates an intent at the sandbox for card and direct debit; returns the URL of its payment page.
 */
const newPaymentPage = async ({ sandboxUrl, sandboxKey }) => {
  const answer = await fetch(`${sandboxUrl}/v2/payment_intents/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandboxKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      amount: 123_450,
      currency: 'eur',
      methods_allowed: 'card,sepa',
      description: 'The Sunday box',
    }),
  });
  if (!answer.ok)
    throw new Failure(
      `The sandbox rejected the creation of a payment intent with status ${answer.status}.`,
    );
  const { url } = await answer.json();
  return url;
};

const fillCard = async (place, number) => {
  await place.locator('#number').fill(number);
  await place.locator('#expiry').fill(`12 / ${(new Date().getFullYear() + 3) % 100}`);
  await place.locator('#cvc').fill('123');
  await place.locator('#name').fill('Camille Martin');
};

const BANK = 'iframe.bank-frame';
const decision = (place, name) =>
  place.frameLocator(BANK).locator(`[data-decision=${name}]:enabled`);

/**
 * Pictures of a payment by card: the form, its errors, a refusal, the bank's page, and the final
 * page.
 */
const takeCard = async (page, chosen, pictures) => {
  await page.goto(await newPaymentPage(chosen));
  await page.locator(READY).waitFor();
  await pictures.take('pay-card');
  await page.locator('#test-cards summary').click();
  await pictures.take('pay-test-cards');
  await page.locator('#test-cards summary').click();
  await page.locator('#pay').click();
  await page.locator('[aria-invalid=true]').first().waitFor();
  await pictures.take('pay-card-invalid');
  await fillCard(page, REFUSED_CARD);
  await page.locator('#pay').click();
  // Waits for the bank's page or the error message, because the bank may authenticate the payer
  // before it refuses the card.
  await page.locator(`${BANK}, #alert:not([hidden])`).first().waitFor();
  if ((await page.locator(BANK).count()) > 0) await decision(page, 'approve').click();
  await page.locator('#alert:not([hidden])').waitFor();
  await pictures.take('pay-card-refused');
  await fillCard(page, CARD);
  await page.locator('#pay').click();
  await decision(page, 'approve').waitFor();
  await pictures.take('pay-bank');
  await decision(page, 'leave').click();
  await page.locator('#alert:not([hidden])').waitFor();
  await pictures.take('pay-bank-left');
  await fillCard(page, CARD);
  await page.locator('#pay').click();
  await decision(page, 'approve').click();
  await page.locator('#ending-panel[data-ending=done]').waitFor();
  await pictures.take('pay-card-done');
};

/**
 * Pictures of a payment by direct debit: the form, its errors, the entry of the code, the payer's
 * inbox, and the final page.
 */
const takeDebit = async (page, chosen, pictures) => {
  const address = await newPaymentPage(chosen);
  await page.goto(address);
  await page.locator(READY).waitFor();
  await page.locator('#tab-sepa').click();
  await pictures.take('pay-debit');
  await page.locator('#test-accounts summary').click();
  await pictures.take('pay-test-accounts');
  await page.locator('#get-code').click();
  await page.locator('[aria-invalid=true]').first().waitFor();
  await pictures.take('pay-debit-invalid');
  await page.locator('#account-name').fill('Camille Martin');
  await page.locator('#iban').fill(IBAN);
  await page.locator('#phone').fill('+33 6 39 98 00 12');
  await page.locator('#get-code').click();
  await page.locator('#sign-panel:not([hidden])').waitFor();
  const inbox = await page.locator('#inbox-link').getAttribute('href');
  const other = await page.context().newPage();
  await other.goto(new URL(inbox, address).href);
  const code =
    /(\d{4}) (?:is your|est votre) code/.exec(await other.locator('main').textContent())?.[1] ?? '';
  await other.close();
  await page.locator('#code').fill(code === '0000' ? '0001' : '0000');
  await page.locator('#sign').click();
  await page.locator('#code[aria-invalid=true]').waitFor();
  await pictures.take('pay-debit-sign');
  await page.locator('#code').fill(code);
  await page.locator('#sign').click();
  await page.locator('#ending-panel[data-ending=processing]').waitFor();
  await pictures.take('pay-debit-done');
  await page.goto(new URL(inbox, address).href);
  await pictures.take('pay-inbox');
};

/**
 * Pictures of the demo shop: its products, an order with the payment page in a frame, and the paid
 * order.
 */
const takeShop = async (page, { shopUrl }, pictures) => {
  await page.goto(shopUrl);
  await pictures.take('shop');
  await page.locator('[data-buy]').first().click();
  const payment = page.frameLocator('iframe.payment-frame');
  await payment.locator(READY).waitFor();
  await pictures.take('shop-order');
  await fillCard(payment, CARD);
  await payment.locator('#pay').click();
  await decision(payment, 'approve').click();
  await page.locator('#outcome[data-tone=good]').waitFor();
  await pictures.take('shop-paid');
  await page.goto(`${shopUrl}/orders/ord_nowhere`);
  await pictures.take('shop-not-found');
};

export const takePayer = async (page, chosen, pictures) => {
  await takeCard(page, chosen, pictures);
  await takeDebit(page, chosen, pictures);
  await page.goto(`${chosen.sandboxUrl}/pay/pi_000000000000000000000000`);
  await pictures.take('pay-missing');
  await page.goto(`${chosen.sandboxUrl}/bank/nowhere`);
  await pictures.take('bank-over');
  await takeShop(page, chosen, pictures);
};
