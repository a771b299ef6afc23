/**
 * The merchant can change the amount of a payment while its page is open. All texts of the page
 * contain the amount, so the page is loaded again, and then says that the amount has changed. The
 * history entry keeps the note, because a framed page may have no storage.
 */

/** Loads the page again; the promise stays pending, so that nothing else happens until then. */
export const showNewAmount = () => {
  history.replaceState({ ...history.state, hasNewAmount: true }, '');
  location.reload();
  return new Promise(() => {});
};

/** Whether the page was loaded again because of a new amount; true only once. */
export const takeNewAmount = () => {
  const hasNewAmount = history.state?.hasNewAmount === true;
  if (hasNewAmount) history.replaceState({ ...history.state, hasNewAmount: false }, '');
  return hasNewAmount;
};
