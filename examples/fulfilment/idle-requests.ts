import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';

const { prototype } = RequestQueue;
const schedule = prototype.scheduleCheckPendingRequests;

/**
 * kafkajs 2.2.4 checks the request queue of each connection every millisecond, which costs 4 % of a
 * core while nothing happens, and of which Node 24 warns (`TimeoutNegativeWarning`). This
 * replacement stops the checks while the queue is empty; kafkajs starts them again when a request
 * is added. The orchestrator has the same in `libs/runtime/kafka/idle-requests.ts`, which a service
 * of its own cannot import.
 */
prototype.scheduleCheckPendingRequests = function checkWhilePending(this: RequestQueue): void {
  if (this.pending.length > 0) schedule.call(this);
};
