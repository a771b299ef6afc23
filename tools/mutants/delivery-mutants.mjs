/**
 * Planted bugs in the relay, requests to the provider and the api.
 * @type {import('./mutant.d.mts').Mutant[]}
 */
export const DELIVERY_MUTANTS = [
  {
    name: 'the relay moves its cursor before the acknowledgement',
    file: 'libs/runtime/kafka/log-publishing.ts',
    from: 'await this.send(messages, lease);\n    await this.parts.cursor.move(lease.token, start, end, newly);',
    to: 'await this.parts.cursor.move(lease.token, start, end, newly);\n    await this.send(messages, lease);',
    nets: {
      specs: ['test/messaging/relay', 'test/messaging/lease'],
      simulation: 'of a stream directly after version',
      chaos: 'each topic has the committed events',
    },
  },
  {
    name: 'the relay moves its cursor without comparing its fencing token',
    file: 'libs/runtime/kafka/relay-cursor.ts',
    from: 'WHERE name = $1 AND token = $2\n                AND (epoch',
    to: 'WHERE name = $1 AND token >= $2\n                AND (epoch',
    nets: {
      specs: ['test/messaging/relay', 'test/messaging/lease'],
      contract: true,
      chaos: 'after it has lost its claim or lease',
    },
  },
  {
    name: 'an earlier lease holder can take over the cursor again',
    file: 'libs/runtime/kafka/relay-cursor.ts',
    from: 'WHERE c.token <= excluded.token',
    to: 'WHERE true',
    nets: { specs: ['test/messaging/relay', 'test/messaging/lease'], contract: true },
  },
  {
    name: 'a worker whose claim has lapsed can still end the job',
    file: 'libs/runtime/jobs/job-table.ts',
    from: "const MINE = `kind = $1 AND key = $2 AND claim = $3 AND state = 'running'`;",
    to: "const MINE = `kind = $1 AND key = $2 AND $3::uuid IS NOT NULL AND state = 'running'`;",
    nets: { specs: ['apps/worker/jobs'] },
  },
  {
    name: 'a slow account takes all slots of a lane',
    file: 'libs/runtime/jobs/lanes.ts',
    from: 'return own === undefined || own.running < share;',
    to: 'return own === undefined || own.running < width;',
    nets: { specs: ['libs/runtime/jobs/', 'apps/worker/payments/begun-calls'] },
  },
  {
    name: 'a capture whose result is unknown is sent again without a read',
    file: 'apps/worker/payments/capture.ts',
    from: 'if (wanted !== null && !isUnknown && isJustAuthorized(context)) {',
    to: 'if (wanted !== null && (isUnknown || isJustAuthorized(context))) {',
    nets: {
      specs: ['apps/worker/payments/calls', 'apps/worker/payments/begun-calls'],
      simulation: 'with an unknown result was sent without a read',
    },
  },
  {
    name: 'a capture that the provider already shows is sent again',
    file: 'apps/worker/payments/capture.ts',
    from: 'isOurMoney && isCapturable(intent.status) && !isShown',
    to: 'isOurMoney && (isCapturable(intent.status) || isShown)',
    nets: { specs: ['apps/worker/payments/calls', 'apps/worker/payments/begun-calls'] },
  },
  {
    name: 'a refund whose result is unknown is sent again',
    file: 'apps/worker/payments/refund.ts',
    from: "const mayBeSent = job.found === 'running' || payment.unknown.includes('refund');",
    to: "const mayBeSent = job.found === 'running';",
    nets: {
      specs: ['apps/worker/payments/refund'],
      simulation: 'a refund was sent again although its result is unknown',
    },
  },
  {
    name: 'a refund whose worker was killed is sent again',
    file: 'apps/worker/payments/refund.ts',
    from: "const mayBeSent = job.found === 'running' || payment.unknown.includes('refund');",
    to: "const mayBeSent = payment.unknown.includes('refund');",
    nets: {
      specs: ['apps/worker/payments/refund'],
      simulation: 'an operator had to act on a refund that the provider shows',
    },
  },
  {
    name: 'webhooks are accepted, but their objects are not read',
    file: 'apps/worker/payments/webhook-handler.ts',
    from: 'const note = await this.observe(group);',
    to: "const note = group.webhooks.length < 0 ? await this.observe(group) : 'ignored';",
    nets: {
      specs: ['apps/worker/payments/webhooks'],
      simulation: 'of a payment was ignored',
      chaos: 'when a webhook has been handled, the log has the status',
    },
  },
  {
    name: 'a webhook with a false signature is accepted',
    file: 'apps/api/webhooks/webhooks.controller.ts',
    from: "if (check !== 'verified') {",
    to: "if (check === 'unsigned') {",
    nets: {
      specs: ['apps/api/webhooks/webhooks'],
      chaos: 'no webhook is accepted whose content does not fit its signature',
    },
  },
  {
    name: 'an unpaid intent of another account is recorded',
    file: 'apps/worker/payments/webhook-handler.ts',
    from: "if (payment.status === 'none' || payment.terms.accountId !== accountId)",
    to: "if (payment.status === 'none')",
    nets: { specs: ['apps/worker/payments/webhooks'] },
  },
  {
    name: 'a platform can read the order of another platform',
    file: 'apps/api/shared/tenancy.ts',
    from: "mustOwn(caller, order.terms.platformId, 'order');",
    to: '',
    nets: { specs: ['apps/api/auth/auth'] },
  },
  {
    name: 'a platform can refresh the payment of another platform when the payment is cached',
    file: 'apps/api/shared/tenancy.ts',
    from: "mustOwn(caller, recent.terms.platformId, 'payment');",
    to: '',
    nets: { specs: ['apps/api/auth/auth'] },
  },
  {
    name: 'an idempotency key is reused for another request',
    file: 'apps/api/shared/idempotency.ts',
    from: "if (known.fingerprint !== request.fingerprint) throw problem('idempotency_key_reused');",
    to: '',
    nets: { specs: ['apps/api/orders/orders', 'apps/api/attacks'] },
  },
  {
    name: 'a rejected request still uses up a part of the daily limit',
    file: 'apps/api/limits/daily-limits.ts',
    from: 'if (isRefused(error)) {',
    to: 'if (!isRefused(error)) {',
    nets: { specs: ['apps/api/limits/', 'apps/api/orders/refunds', 'apps/api/payments/'] },
  },
  {
    name: 'a merchant’s status that does not change for too long is not reported',
    file: 'libs/sagas/onboarding/onboarding-saga.ts',
    from: "if (awaited === null || awaited === 'rejected') return stay(state);",
    to: 'return stay(state);',
    nets: { specs: ['libs/sagas/'] },
  },
  {
    name: 'API keys of a closed contract are not requested again',
    file: 'libs/sagas/onboarding/onboarding-saga.ts',
    from: "status === 'closed' || status === 'available'\n    ? ask(",
    to: "status === 'available'\n    ? ask(",
    nets: { specs: ['libs/sagas/'] },
  },
  {
    name: 'polling of the status history skips its last days',
    file: 'libs/onboarding/domain/history-windows.ts',
    from: 'next: addDays(trusted, -REREAD_DAYS) };',
    to: 'next: trusted };',
    nets: { specs: ['libs/onboarding/domain/'] },
  },
  {
    name: 'the polling watermark passes a day that has not ended',
    file: 'libs/onboarding/domain/history-windows.ts',
    from: 'return isClosed && since === round.watermark ?',
    to: 'return since === round.watermark ?',
    nets: { specs: ['libs/onboarding/domain/'] },
  },
  {
    name: 'the polling watermark passes an unreadable row',
    file: 'libs/onboarding/domain/history-windows.ts',
    from: 'return since < round.floor',
    to: 'return since <= window.until',
    nets: { specs: ['libs/onboarding/domain/'] },
  },
  {
    name: 'the Kafka client repeats a failed send itself',
    file: 'libs/runtime/kafka/kafka-publisher.ts',
    from: 'retry: { retries: 0 },',
    to: 'retry: { retries: 1, initialRetryTime: 50, maxRetryTime: 200 },',
    nets: { specs: ['test/messaging/relay'] },
  },
  {
    name: 'some refunds are answered with 202, but not recorded',
    file: 'apps/api/payments/refunds.ts',
    from: 'const after = await step.execute(paymentAggregate, payment.id, command);',
    to: `const { decide, evolve } = paymentAggregate.decider;
    const state: Parameters<typeof evolve>[0] = payment.state;
    const after = payment.state.terms.amountMinor % 5 === 0
      ? decide(state, command).reduce(evolve, state)
      : await step.execute(paymentAggregate, payment.id, command);`,
    nets: {
      specs: ['apps/api/orders/refunds.spec'],
      chaos: 'each refund, capture and cancellation that was answered with 202',
    },
  },
  {
    name: 'when a reaction fails, the event that caused it is lost',
    file: 'libs/runtime/log/event-store.ts',
    from: "if (error instanceof ReactionFailed && deferrals.note(error)) return 'again';",
    to: '',
    nets: {
      specs: ['libs/runtime/log/reactions'],
      simulation: 'could not react: a planted bug after the commands',
      chaos: 'an event is committed when a reaction to it fails',
    },
  },
  {
    name: 'the claim of a dead worker never expires',
    file: 'migrations/orchestrator/schema/claim-jobs.ts',
    from: "WHERE j.state = 'running' AND j.held_until < clock_timestamp()\n       AND",
    to: "WHERE j.state = 'running' AND j.held_until < clock_timestamp() - interval '1 year'\n       AND",
    nets: {
      specs: ['apps/worker/jobs'],
      contract: true,
      chaos: 'a worker takes over each job whose claim has expired',
    },
  },
  {
    name: 'a worker claims a provider request while another of the same payment is open',
    file: 'migrations/orchestrator/schema/claim-jobs.ts',
    from: '(j.subject_id IS NULL OR j.ordinal =',
    to: '(true OR j.ordinal =',
    nets: { specs: ['apps/worker/payments/calls'], contract: true },
  },
  {
    name: 'every capture needs an operator at first',
    file: 'apps/worker/payments/capture.ts',
    from: "const isUnknown = payment.unknown.includes('capture');",
    to:
      "const isUnknown = payment.unknown.includes('capture');\n" +
      "  if (context.job.attempts === 1) return { commands: [], next: { state: 'stuck' }, note: '' };",
    nets: {
      specs: ['apps/worker/payments/calls'],
      simulation: 'an operator had to act on capture',
      chaos: 'each provider request has its job, and each job has ended',
    },
  },
  {
    name: 'a subscriber does not compare a message with the versions that it has handled',
    file: 'packages/subscriber/stream-work.ts',
    from:
      'const fresh = run.filter(({ sequence }) => sequence > version);\n' +
      '    const [first] = fresh;\n' +
      "    if (first === undefined) return { outcome: 'repeated', state: locked.state };\n" +
      "    if (isOutdated(mode, locked.state)) return { outcome: 'stays blocked', state: locked.state };\n" +
      '    const isGap = first.sequence !== version + 1;',
    to:
      'const fresh = run;\n    const [first] = fresh;\n' +
      '    const isGap = first.sequence > version + 1;',
    also: {
      file: 'packages/subscriber/trusted-events.ts',
      from: 'if (message.sequence <= seen) {',
      to: 'if (message.sequence < 1) {',
    },
    nets: {
      specs: ['test/subscriber/'],
      chaos: 'the fulfilment service has handled every event once',
    },
  },
  {
    name: 'a subscriber confirms messages before it has handled them',
    file: 'packages/subscriber/consumer.ts',
    from: 'await this.options.take(this.decode(batch), ended.signal);',
    to:
      'offsets.done(batch.topic, batch.partition, batch.lastOffset());\n' +
      '      await this.options.take(this.decode(batch), ended.signal);',
    nets: { specs: ['test/subscriber/'], chaos: 'the fulfilment service' },
  },
  {
    name: 'the feed of a platform contains events of other platforms',
    file: 'libs/runtime/log/log-reader.ts',
    from:
      "metadata ->> 'platformId' = $1\n" +
      "     AND (metadata ->> 'platformId', epoch, transaction_id, position) > ($1, $2, $3::xid8, $4)\n" +
      "     AND (metadata ->> 'platformId', epoch, transaction_id, position) < ($1, $5, $6::xid8, $7)",
    to:
      '$1::text IS NOT NULL AND (epoch, transaction_id, position) > ($2, $3::xid8, $4)\n' +
      '     AND (epoch, transaction_id, position) < ($5, $6::xid8, $7)',
    nets: { specs: ['apps/api/events/feed'] },
  },
  {
    name: 'the feed of a platform skips the events of transactions that are still open',
    file: 'libs/runtime/log/log-reader.ts',
    from: "AND (metadata ->> 'platformId', epoch, transaction_id, position) < ($1, $5, $6::xid8, $7)",
    to: 'AND ($5::integer, $6::xid8, $7::bigint) IS NOT NULL',
    nets: { specs: ['apps/api/events/feed'] },
  },
  {
    name: 'the feed of a platform skips an event that only a newer release can read',
    file: 'libs/runtime/log/log-reader.ts',
    from: 'if (isNewer(entry)) return { events, next, isEnd: true, isBlocked: true };',
    to: 'if (isNewer(entry)) continue;',
    nets: { specs: ['apps/api/events/feed'] },
  },
  {
    name: 'events do not name their platform',
    file: 'libs/runtime/log/step-builder.ts',
    from: 'metadata: recorded });',
    to: 'metadata });',
    nets: { specs: ['apps/api/events/events'] },
  },
];
