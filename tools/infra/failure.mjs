/**
 * An error that the user can fix, such as a missing program. Its message says in one sentence how
 * to fix it.
 */
export class Failure extends Error {
  name = 'Failure';

  /**
   * @param {string} message
   * @param {string} [details] helpful output, which is printed above the message
   */
  constructor(message, details = '') {
    super(message);
    this.details = details;
    // Adds the details to the stack, because some callers, such as Jest, print only the stack.
    if (details !== '') this.stack = this.stack?.replace(message, () => `${message}\n${details}`);
  }
}
