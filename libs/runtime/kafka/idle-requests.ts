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
 * After its first request, each connection of kafkajs 2.2.4 checks its queue every millisecond,
 * which costs 2 % of a core while the queue is empty. This replacement stops the checks while the
 * queue is empty; kafkajs starts them again when a request is added.
 */
prototype.scheduleCheckPendingRequests = function checkWhilePending(this: RequestQueue): void {
  if (this.pending.length > 0) schedule.call(this);
};
