/**
 * kafkajs for the tools, without its timer with a negative time, of which Node 24 warns: a
 * connection starts this timer when its request queue is empty, so it has nothing to do. The apps
 * have the same in `libs/runtime/kafka/idle-requests.ts`, which tools cannot import before anything
 * is built.
 */
import kafkajs from 'kafkajs';
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';

const { prototype } = RequestQueue;
const schedule = prototype.scheduleCheckPendingRequests;

prototype.scheduleCheckPendingRequests = function checkWhilePending() {
  if (this.pending.length > 0) schedule.call(this);
};

export const { Kafka, logLevel } = kafkajs;
