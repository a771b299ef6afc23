/**
 * Planted bugs in the event log, the jobs and the sagas.
 * @type {import('./mutant.d.mts').Mutant[]}
 */
export const LOG_MUTANTS = [
  {
    name: 'the result of a job is stored without comparing its claim',
    file: 'migrations/orchestrator/schema/commit-steps.ts',
    from: 'j.claim IS NOT DISTINCT FROM x.claim\n                          AND j.state =',
    to: 'j.state =',
    nets: {
      specs: ['libs/runtime/log/event-store'],
      contract: true,
      chaos: 'no commit ends a job under a lost claim',
    },
  },
  {
    name: 'the version of a stream is not compared in the commit',
    file: 'migrations/orchestrator/schema/commit-steps.ts',
    from: 'WHERE a.expected <> coalesce((SELECT e.version FROM events e',
    to: 'WHERE a.expected > coalesce((SELECT e.version FROM events e',
    nets: { specs: ['libs/runtime/log/event-store'], contract: true },
  },
  {
    name: 'the state of a saga is saved without comparing its version',
    file: 'migrations/orchestrator/schema/commit-steps.ts',
    from: 'WHERE w.expected <> coalesce((SELECT g.version FROM sagas g',
    to: 'WHERE w.expected > coalesce((SELECT g.version FROM sagas g',
    nets: {
      specs: ['libs/runtime/log/reactions', 'libs/runtime/log/event-store'],
      contract: true,
      chaos: 'no commit ends a job under a lost claim',
    },
  },
  {
    name: 'a step that reserves a used name fails with an error of the database',
    file: 'migrations/orchestrator/schema/commit-steps.ts',
    from: 'JOIN reservations v ON v.scope = n.scope AND v.key = n.key;',
    to: 'JOIN reservations v ON v.scope = n.scope AND v.key = n.key AND v.key IS NULL;',
    nets: { specs: ['libs/runtime/log/event-store'], contract: true },
  },
  {
    name: 'a step that conflicts discards the other steps of its batch, which seem committed',
    file: 'migrations/orchestrator/schema/commit-steps.ts',
    from: 'failed := ARRAY(SELECT c.step FROM unnest(conflicts) AS c);',
    to: 'RETURN to_jsonb(conflicts);',
    nets: { specs: ['libs/runtime/log/event-store'], contract: true },
  },
  {
    name: 'of two steps of a batch that conflict, the second is written',
    file: 'migrations/orchestrator/schema/commit-steps.ts',
    from: 'failed := ARRAY(SELECT c.step FROM unnest(conflicts) AS c);',
    to: 'failed := ARRAY[(conflicts[1]).step];',
    nets: { specs: [], contract: true },
  },
  {
    name: 'a provider request starts while an earlier request of the same payment is running',
    file: 'migrations/orchestrator/schema/commit-steps.ts',
    from: "WHERE o.subject_id = n.subject AND o.state <> 'done') IS NULL",
    to: "WHERE o.subject_id = n.subject AND o.state = 'ready') IS NULL",
    nets: {
      specs: ['apps/worker/payments/begun-calls'],
      contract: true,
      chaos: 'no two requests of one payment run at the same time',
    },
  },
  {
    name: 'when a reaction throws, the saga misses the later events of the same key',
    file: 'libs/runtime/log/saga-instances.ts',
    from: 'instance.waiting = { ...waiting, stimuli: [...waiting.stimuli, ref] };',
    to: 'instance.waiting = { ...waiting };',
    nets: {
      specs: ['libs/runtime/log/reactions', 'libs/runtime/log/event-store'],
      chaos: 'the checkout saga reacts to every event',
    },
  },
  {
    name: 'a saga reacts to later events before it retries a failed reaction',
    file: 'libs/runtime/log/saga-instances.ts',
    from: 'if (instance.waiting !== null || isDeferred) this.keep',
    to: 'if (isDeferred) this.keep',
    nets: { specs: ['libs/runtime/log/reactions', 'libs/runtime/log/event-store'] },
  },
  {
    name: 'log consumers skip the events of transactions that are still open',
    file: 'libs/runtime/log/log-reader.ts',
    from: 'OR transaction_id < pg_snapshot_xmin(pg_current_snapshot()))',
    to: 'OR transaction_id < pg_snapshot_xmax(pg_current_snapshot()))',
    nets: { specs: ['libs/runtime/log/log-reader'], chaos: 'each topic has the committed events' },
  },
  {
    name: 'a decision on a cached state is used without a commit that compares the state’s version',
    file: 'libs/runtime/log/event-store.ts',
    from: "if (built === null) return builder.isUncertain ? 'again' : { result };",
    to: 'if (built === null) return { result };',
    nets: {
      specs: ['libs/runtime/log/event-store'],
      simulation: 'a bug: AssertionFailed: a retry of checkout',
    },
  },
  {
    name: 'a rejection that was decided on an outdated cached state is returned',
    file: 'libs/runtime/log/event-store.ts',
    from: "if (builder.isUncertain) return 'again';",
    to: '',
    nets: {
      specs: ['libs/runtime/log/event-store'],
      chaos: 'no refund of a captured payment is refused',
    },
  },
  {
    name: 'a claim is kept although the response to its commit was lost',
    file: 'libs/runtime/log/begun-calls.ts',
    from: 'else starter.giveBack(claimed);',
    to: 'else starter.release(claimed);',
    nets: { specs: ['test/faults/lost-commits'] },
  },
  {
    name: 'a restore on the same server begins no epoch',
    file: 'migrations/orchestrator/schema/restores.ts',
    from: 'SET incarnation = log_incarnation(), epoch =',
    to: 'SET incarnation = log_incarnation(), epoch = epoch --',
    nets: { specs: ['libs/runtime/log/log-reader', 'apps/api/events/restored-log'] },
  },
  {
    name: 'a step that was decided before a failover is committed after it',
    file: 'libs/runtime/log/group-committer.ts',
    from: 'if (isCurrent()) return true;',
    to: 'if (isCurrent() || true) return true;',
    nets: { specs: ['libs/runtime/log/log-identity'] },
  },
  {
    name: 'a process keeps its cached states after a failover',
    file: 'libs/runtime/log/log-identity.ts',
    from: 'if (isOther) for (const listener of this.listeners) listener();',
    to: '',
    nets: { specs: ['libs/runtime/log/log-identity'] },
  },
  {
    name: 'after a restore, the lost time begins at the restore',
    file: 'migrations/orchestrator/schema/restores.ts',
    from: "SELECT coalesce((e.data ->> 'at')::timestamptz, e.recorded_at) INTO lost_since",
    to: 'SELECT now() INTO lost_since',
    nets: { specs: ['apps/worker/payments/restore.spec'] },
  },
];
