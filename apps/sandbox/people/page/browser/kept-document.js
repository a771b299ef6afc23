/**
 * The path of the mandate's document is known only to the browser in which the payer has entered the
 * bank account. The history entry keeps it, so that the page shows the link also after it was loaded
 * again, or when the response to the signature was lost.
 */
export const keepDocumentPath = (documentPath) =>
  history.replaceState({ ...history.state, documentPath }, '');

export const keptDocumentPath = () => history.state?.documentPath ?? null;
