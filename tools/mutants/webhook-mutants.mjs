/**
 * Planted bugs in the webhooks that are sent to platforms.
 * @type {import('./mutant.d.mts').Mutant[]}
 */
export const WEBHOOK_MUTANTS = [
  {
    name: 'a webhook endpoint receives the events of other platforms',
    file: 'apps/worker/webhooks/delivery-feed.ts',
    from: 'if (metadata.platformId !== platformId || isAfter(start, cursor)) return false;',
    to: 'if (isAfter(start, cursor)) return false;',
    nets: { specs: ['apps/worker/webhooks/'] },
  },
  {
    name: 'a webhook is sent although an earlier one of its stream has failed',
    file: 'apps/worker/webhooks/delivery-job.ts',
    from: "if (head === null || head.state === 'failed') return { next: 'done' };",
    to: "if (head === null) return { next: 'done' };",
    nets: { specs: ['apps/worker/webhooks/'] },
  },
  {
    name: 'the webhooks of a stream are sent in any order',
    file: 'apps/worker/webhooks/open-deliveries.ts',
    from: 'ORDER BY d.version LIMIT 1',
    to: 'ORDER BY d.version DESC LIMIT 1',
    nets: {
      specs: ['apps/worker/webhooks/'],
      chaos: 'the platform receives each event at its webhook endpoint',
    },
  },
  {
    name: 'an event that arrives while its stream is sent is not sent',
    file: 'apps/worker/webhooks/delivery-feed.ts',
    from: "ON CONFLICT (kind, key) DO UPDATE SET again = true WHERE j.state = 'running'",
    to: 'ON CONFLICT (kind, key) DO NOTHING',
    nets: { specs: ['apps/worker/webhooks/'] },
  },
  {
    name: 'a delivery is recorded as successful before it is sent',
    file: 'apps/worker/webhooks/delivery-job.ts',
    from: '      const result = await this.send(head, event, at);',
    to:
      "      const ok = { kind: 'http' as const, status: 204, body: '' };\n" +
      '      await this.record(endpointId, head, { host: head.host, at, tookMs: 0, result: ok });\n' +
      '      const result = await this.send(head, event, at);',
    nets: {
      specs: ['apps/worker/webhooks/'],
      chaos: 'the platform receives each event at its webhook endpoint',
    },
  },
  {
    name: 'a failing endpoint is never disabled',
    file: 'libs/webhook/domain/endpoint-health.ts',
    from: 'failures >= DISABLED_AFTER_FAILURES &&',
    to: 'failures < 0 &&',
    nets: { specs: ['apps/worker/webhooks/', 'libs/webhook/'] },
  },
  {
    name: 'the URL of an endpoint is not checked when a webhook is sent',
    file: 'libs/platform/guarded-post.ts',
    from: 'refuseWrittenAddress(target, this.options);',
    to: '',
    nets: { specs: ['apps/worker/webhooks/', 'apps/sandbox/webhooks/'] },
  },
];
