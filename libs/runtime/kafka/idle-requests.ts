import { createRequire } from 'node:module';

/** Of kafkajs, one for each connection; not typed there. */
interface RequestQueue {
  readonly pending: readonly unknown[];
  scheduleCheckPendingRequests(): void;
}

const { prototype } = createRequire(import.meta.url)(
  'kafkajs/src/network/requestQueue/index.js',
) as { readonly prototype: RequestQueue };
const schedule = prototype.scheduleCheckPendingRequests;

/**
 * From its first request on, each connection of kafkajs 2.2.4 looks every millisecond, for good,
 * for requests that wait to be sent: 2 % of a core where none ever does. Then there is nothing to
 * look for: who adds one begins the checks anew.
 */
prototype.scheduleCheckPendingRequests = function checkWhilePending(this: RequestQueue): void {
  if (this.pending.length > 0) schedule.call(this);
};
