import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';

const { prototype } = RequestQueue;
const schedule = prototype.scheduleCheckPendingRequests;

/**
 * After its first request, each connection of kafkajs 2.2.4 checks its queue every millisecond,
 * which costs 2 % of a core while the queue is empty. This replacement stops the checks while the
 * queue is empty; kafkajs starts them again when a request is added.
 */
prototype.scheduleCheckPendingRequests = function checkWhilePending(this: RequestQueue): void {
  if (this.pending.length > 0) schedule.call(this);
};
