/**
 * An error that the user can fix, such as a missing program; its message says in one sentence how
 * to fix the error.
 */
export class Failure extends Error {
  name = 'Failure';

  /** @param {string} message @param {string} [details] output that helps, shown above the sentence */
  constructor(message, details = '') {
    super(message);
    this.details = details;
    // The stack contains the details, too, because some callers, such as Jest, print only the
    // stack.
    if (details !== '') this.stack = this.stack?.replace(message, () => `${message}\n${details}`);
  }
}
