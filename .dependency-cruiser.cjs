/** Which parts of the project may import which; `npm run check` fails on a forbidden import. */
const AGGREGATES = '^libs/(account|order|payment|payout|onboarding|webhook)/';
/** Specs, and what only specs use. */
const SPEC = '\\.(spec|fixture)\\.ts$|^apps/[^/]+/testing/';

/** The console is bundled when it is built, so at run time it needs no dependencies. */
const CONSOLE = '^apps/admin/console/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'Two files that import each other should be one file, or share a third one.',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'domain-is-pure',
      severity: 'error',
      comment: 'A domain imports only its own folder and the kernel; its specs also the helpers.',
      from: { path: '^libs/([^/]+)/domain/', pathNot: SPEC },
      to: { pathNot: ['^libs/$1/domain/', '^libs/kernel/'] },
    },
    {
      name: 'sagas-are-pure',
      severity: 'error',
      comment: 'A saga is a pure function over facts of several aggregates.',
      from: { path: '^libs/sagas/', pathNot: SPEC },
      to: { pathNot: ['^libs/sagas/', '^libs/kernel/', '^libs/runtime/log/', AGGREGATES] },
    },
    {
      name: 'jobs-know-no-feature',
      severity: 'error',
      comment: 'A job kind defines the work of its jobs; claims are the same for all kinds.',
      from: { path: '^libs/runtime/jobs/', pathNot: SPEC },
      to: { path: '^libs/', pathNot: '^libs/(runtime/(jobs|log)|kernel|platform)/' },
    },
    {
      name: 'only-an-adapter-sees-wire',
      severity: 'error',
      comment: 'Only an adapter knows what its provider sends; all other code uses facts.',
      from: { pathNot: '^libs/psp-|^apps/sandbox/' },
      to: { path: '^libs/psp-[^/]+/', pathNot: '^libs/psp-[^/]+/index\\.ts$' },
    },
    {
      name: 'the-port-knows-no-provider',
      severity: 'error',
      comment: 'The port imports no feature: features map its facts to their own commands.',
      from: { path: '^libs/psp/' },
      to: { path: '^libs/', pathNot: '^libs/(psp|kernel|platform|testing)/' },
    },
    {
      name: 'the-contract-is-for-specs',
      severity: 'error',
      from: { path: '^(apps|libs|tools|migrations)/', pathNot: [SPEC, '^libs/psp/contract/'] },
      to: { path: '^libs/psp/contract/' },
    },
    {
      name: 'an-adapter-knows-the-port',
      severity: 'error',
      comment: 'An adapter imports neither another adapter nor a feature.',
      from: { path: '^libs/(psp-[^/]+)/' },
      to: { path: '^libs/', pathNot: '^libs/($1|psp|kernel|platform|testing)/' },
    },
    {
      name: 'composition-names-the-adapter',
      severity: 'error',
      comment: 'All other code uses the port.',
      from: {
        path: '^(apps|libs)/',
        pathNot: [
          '^libs/(orchestrator|psp-[^/]+)/',
          SPEC,
          '^apps/(api|worker|admin)/[^/]+-config\\.ts$',
        ],
      },
      to: { path: '^libs/psp-[^/]+/' },
    },
    {
      name: 'kernel-stands-alone',
      severity: 'error',
      from: { path: '^libs/kernel/', pathNot: SPEC },
      to: { pathNot: ['^libs/kernel/', '^(node:)?crypto$'] },
    },
    {
      name: 'aggregates-apart',
      severity: 'error',
      comment: 'Only sagas and apps may know several aggregates.',
      from: { path: AGGREGATES },
      to: { path: AGGREGATES, pathNot: '^libs/$1/' },
    },
    {
      name: 'by-the-index',
      severity: 'error',
      comment: 'A lib is imported by its index only, so that its other files can change.',
      from: { path: '^(apps|libs|test|tools|bench|migrations)/((?:runtime/)?[^/]+)' },
      to: { path: '^libs/', pathNot: ['^libs/((runtime|psp)/)?[^/]+/index\\.ts$', '^$1/$2/'] },
    },
    {
      name: 'a-read-model-is-data',
      severity: 'error',
      comment:
        'A feature declares its lists and read models here; shared libs write and read them.',
      from: { path: '^libs/([^/]+)/read/', pathNot: SPEC },
      to: {
        pathNot: ['^libs/$1/(domain|read)/', '^libs/(kernel|lists|runtime/(projections|log))/'],
      },
    },
    {
      name: 'lists-know-no-feature',
      severity: 'error',
      from: { path: '^libs/lists/', pathNot: SPEC },
      to: { path: '^libs/', pathNot: '^libs/(kernel|lists|platform)/' },
    },
    {
      name: 'projections-know-no-feature',
      severity: 'error',
      from: { path: '^libs/runtime/projections/', pathNot: SPEC },
      to: { path: '^libs/', pathNot: '^libs/(runtime/(log|projections)|kernel|platform)/' },
    },
    {
      name: 'libs-below-apps',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^(apps|bench|test)/' },
    },
    {
      name: 'libs-below-migrations',
      severity: 'error',
      comment: 'Only code that specs use may migrate a database.',
      from: { path: '^libs/', pathNot: [SPEC, '^libs/testing/'] },
      to: { path: '^migrations/' },
    },
    {
      name: 'apps-apart',
      severity: 'error',
      comment: 'Apps meet over HTTP and Kafka.',
      from: { path: '^apps/([^/]+)/', pathNot: '^apps/all/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'all-is-api-and-worker',
      severity: 'error',
      comment: 'The combined process consists of these two apps and has no code of its own.',
      from: { path: '^apps/all/', pathNot: SPEC },
      to: { path: '^apps/', pathNot: '^apps/(all|api|worker)/' },
    },
    {
      name: 'packages-stand-alone',
      severity: 'error',
      comment: 'A package is for other services: it imports nothing of the orchestrator.',
      from: { path: '^packages/([^/]+)/' },
      to: { path: '^(apps|libs|examples|migrations|tools|test|bench)/' },
    },
    {
      name: 'examples-are-strangers',
      severity: 'error',
      comment: 'An example imports a package by its name and nothing else of this repository.',
      from: { path: '^examples/([^/]+)/' },
      to: {
        path: '^(apps|libs|packages|examples|migrations|tools|test|bench)/',
        pathNot: ['^examples/$1/', '^packages/[^/]+/index\\.ts$'],
      },
    },
    {
      name: 'nothing-needs-an-example',
      severity: 'error',
      comment: 'The orchestrator does not know its subscribers.',
      from: { path: '^(apps|libs|migrations|packages)/' },
      to: { path: '^examples/' },
    },
    {
      name: 'console-apart',
      severity: 'error',
      comment:
        'The console runs in a browser: it knows the admin app by its OpenAPI document only.',
      from: { path: CONSOLE },
      to: { path: '^(apps|libs|migrations|tools|test|bench)/', pathNot: CONSOLE },
    },
    {
      name: 'sandbox-apart',
      severity: 'error',
      comment: 'The sandbox and the orchestrator share only these three libs.',
      from: { path: '^apps/sandbox/' },
      to: { path: '^libs/', pathNot: '^libs/(kernel|platform|testing)/' },
    },
    {
      name: 'testing-in-tests',
      severity: 'error',
      from: { path: '^(apps|libs|migrations)/', pathNot: [SPEC, '^libs/testing/'] },
      to: { path: '^libs/testing/' },
    },
    {
      name: 'tools-stay-tools',
      severity: 'error',
      comment:
        'The names of the database roles are an exception: tools need them before anything is built.',
      from: { path: '^(apps|libs|migrations)/', pathNot: ['^libs/testing/', SPEC] },
      to: { path: '^tools/', pathNot: '^tools/infra/roles\\.mjs$' },
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'runtime-dependencies',
      severity: 'error',
      comment: 'Code that runs in production imports only dependencies, no devDependencies.',
      from: { path: '^(apps|libs|migrations)/', pathNot: [SPEC, CONSOLE, '^libs/testing/'] },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], pathNot: '@types' },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    webpackConfig: { fileName: 'tools/boundaries-resolve.cjs' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: ['node_modules', '^dist/'] },
    exclude: { path: '/browser/.*\\.js$' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mts', '.mjs', '.js', '.cjs', '.json', '.d.ts', '.d.mts'],
    },
  },
};
