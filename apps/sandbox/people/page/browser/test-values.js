const byId = (id) => document.getElementById(id);
const inThreeYears = () => String((new Date().getFullYear() + 3) % 100).padStart(2, '0');

/** Fills the form with a test value of the list when the payer clicks it. */
export const offerTestValues = ({ testCards, testAccounts }, form, sepa) => {
  const offer = (listId, values, fill) => {
    byId(listId)?.addEventListener('click', ({ target }) => {
      const button = target.closest('[data-test-value]');
      if (!button || form?.isBusy || sepa?.isBusy) return;
      fill(values[Number(button.dataset.testValue)]);
    });
  };
  offer('test-cards', testCards, ({ number }) =>
    form.fill({ number, expiry: `12 / ${inThreeYears()}`, cvc: '123', name: 'Camille Martin' }),
  );
  offer('test-accounts', testAccounts, (account) => sepa.fill(account));
};
