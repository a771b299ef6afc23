import { createRequire } from 'node:module';

/** The request queue of a kafkajs connection, for which kafkajs has no types. */
interface RequestQueue {
  readonly pending: readonly unknown[];
  scheduleCheckPendingRequests(): void;
}

const { prototype } = createRequire(import.meta.url)(
  'kafkajs/src/network/requestQueue/index.js',
) as { readonly prototype: RequestQueue };
const schedule = prototype.scheduleCheckPendingRequests;

/**
 * From its first request on, each connection of kafkajs 2.2.4 checks every millisecond for queued
 * requests, which costs 2 % of a core while idle. This stops the checks of an empty queue; adding a
 * request starts them again.
 */
prototype.scheduleCheckPendingRequests = function checkWhilePending(this: RequestQueue): void {
  if (this.pending.length > 0) schedule.call(this);
};
