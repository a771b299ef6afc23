const notice = document.getElementById('notice');
const { text } = JSON.parse(document.getElementById('shop-data').textContent);

/**
 * An id per product and visit, so that two clicks place one order. The id has only letters, because
 * digits that happen to look like a card number would be rejected.
 */
const newCheckoutId = () =>
  [...crypto.getRandomValues(new Uint8Array(32))]
    .map((byte) => 'abcdefghijklmnop'[byte % 16])
    .join('');

const checkoutIds = new Map();
const checkoutIdOf = (product) => {
  if (!checkoutIds.has(product)) checkoutIds.set(product, newCheckoutId());
  return checkoutIds.get(product);
};

const placeOrder = async (product) => {
  const response = await fetch('/checkout', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ product, checkoutId: checkoutIdOf(product) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer.orderId;
};

const buy = async (button) => {
  button.disabled = true;
  notice.hidden = true;
  try {
    location.assign(`/orders/${await placeOrder(button.dataset.buy)}`);
  } catch (error) {
    console.error('the order was not placed', error);
    notice.textContent = text.notPlaced;
    notice.hidden = false;
    button.disabled = false;
  }
};

for (const button of document.querySelectorAll('[data-buy]')) {
  button.addEventListener('click', () => buy(button));
}
// A return by the browser's back button counts as a new visit: the same product can be bought
// again.
window.addEventListener('pageshow', () => {
  checkoutIds.clear();
  for (const button of document.querySelectorAll('[data-buy]')) button.disabled = false;
});
