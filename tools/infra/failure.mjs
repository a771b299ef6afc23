/** An operating error that the user can fix; its message is one sentence that says how. */
export class Failure extends Error {
  name = 'Failure';

  /** @param {string} message @param {string} [details] output that helps, shown above the sentence */
  constructor(message, details = '') {
    super(message);
    this.details = details;
    // Where the details are not printed, as in a spec, the stack contains them.
    if (details !== '') this.stack = this.stack?.replace(message, () => `${message}\n${details}`);
  }
}
