import { startApp } from '../../tools/infra/apps.mjs';
import { startHere } from './start-here.js';

/**
 * Starts the sandbox in the spec's process, which takes one CPU second less, and each other app as
 * a separate process. For specs that kill or inspect the other apps only.
 */
export const startWithSandboxHere: typeof startApp = (options) =>
  (options.app === 'sandbox' ? startHere : startApp)(options);
