/** Files of the first migration, which must stay as it was released, including its comments. */
const FIRST_SCHEMA = ['jobs', 'ledger', 'claim-jobs'].map(
  (file) => `migrations/orchestrator/schema/${file}.ts`,
);

/**
 * Words that a payments engineer would not understand, and what to write instead
 * (docs/glossary.md). A pattern is matched without regard to case, as whole words, also within
 * names in camelCase, SNAKE_CASE and kebab-case, whose parts count as words.
 * @type {readonly import('./words.d.mts').Word[]}
 */
export const WORDS = [
  { pattern: 'told|tell|tells|telling', write: 'record, publish, return, report or show' },
  {
    pattern: 'nobody|no one',
    write: 'who: no operator, no process, no client; or the passive',
  },
  {
    pattern: 'somebody|anybody|everybody|whoever',
    write: 'who: the payer, an operator, a process, a client; or the passive',
  },
  { pattern: 'wish|wishes|wished', write: 'action request' },
  { pattern: 'reseal\\w*', write: 'rotate the encryption key' },
  { pattern: 'sightings?', write: 'status observation' },
  { pattern: 'money back', write: 'refunds and chargebacks' },
  {
    pattern: '(?:taken?|takes|took) back',
    write: 'charged back, withdrawn or undone',
    allowed: [
      'migrations/orchestrator/1760000000710-stored-responses.ts',
      'test/install/schema.spec.ts',
    ],
  },
  { pattern: '(?:come|comes|came) of', write: 'the result' },
  { pattern: '(?:carry|carries|carried|carrying) out', write: 'handle, execute or send' },
  { pattern: 'let go|lets go|letting go|let in', write: 'release, retry or enable' },
  { pattern: 'shut out|shuts out', write: 'disable' },
  { pattern: 'most wait', write: 'maxBackoff' },
  { pattern: 'widest', write: 'max' },
  { pattern: 'least wait', write: 'minBackoff' },
  { pattern: 'doubtful', write: 'unknown' },
  {
    pattern: 'look(?:s|ed|ing|er)?(?! (?:like|up|them up|it up|wrong)\\b)',
    write: 'read, poll, check, search or seem',
    allowed: FIRST_SCHEMA,
  },
  { pattern: 'passing', write: 'transient', allowed: FIRST_SCHEMA },
  { pattern: 'parks?|parked|parking', write: 'block, blocked' },
  { pattern: 'lifts?|lifted|lifting', write: 'upcast' },
  {
    pattern: 'settl(?:e|es|ed|ing) (?:a |the |its |this )?(?:call|request|result)s?',
    write: 'resolve the result',
  },
  { pattern: 'part(?: spec|\\.spec)?\\.[jt]s', write: '*.process.ts' },
  { pattern: 'gone', write: 'deleted, missing, closed or lost' },
  { pattern: 'heads', write: 'owners and representatives' },
  { pattern: 'at hand', write: 'available or given' },
  { pattern: 'of late', write: 'recently' },
  { pattern: 'in so many words', write: 'explicitly' },
  { pattern: 'mend|mends|mended', write: 'fix or repair' },
  { pattern: 'the door|one door', write: 'ingest, entry point or sign-in' },
  {
    // `orderCancelled` is a status of the provider.
    pattern: '(?<!order )cancell(?:ed|ing|able)',
    write: 'canceled, canceling, as the statuses are spelled',
    allowed: [
      'apps/sandbox/collection/banks/dispute-codes.ts',
      'test/golden/kinds.ts',
      'test/golden/make.ts',
      'test/golden/workflows',
    ],
  },
];

/**
 * Files that are not checked: they are generated, quote a provider, or describe earlier releases in
 * the words of that time.
 */
export const NOT_READ = [
  'docs/provider',
  'docs/generated',
  'test/golden/histories',
  'CHANGELOG.md',
  'packages/subscriber/events.ts',
  'apps/admin/console/src/api/schema.d.ts',
  'test/clients/programs',
  'tools/infra/word-list.mjs',
  'tools/infra/words.spec.ts',
];
