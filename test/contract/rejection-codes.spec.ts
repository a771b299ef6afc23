import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { problems } from '../../apps/admin/problems.js';
import { ERROR_CODES } from '../../apps/api/shared/error-codes.js';

const ROOT = join(import.meta.dirname, '../..');

const sourcesBelow = (folder: string): readonly (readonly [path: string, text: string])[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.(?:spec|fixture)\./.test(path))
    .map((path) => [join(folder, path), readFileSync(join(ROOT, folder, path), 'utf8')] as const);

const REJECTION = /new Rejection\(\s*(?:'(?<code>\w+)'|(?<other>[^'\s]\w*))/g;

const rejectionsIn = (folders: readonly string[]) =>
  folders
    .flatMap(sourcesBelow)
    .flatMap(([path, text]) =>
      [...text.matchAll(REJECTION)].map(({ groups = {} }) => ({ path, ...groups })),
    ) as readonly { readonly path: string; readonly code?: string; readonly other?: string }[];

const codesOf = (folders: readonly string[]): readonly string[] =>
  [...new Set(rejectionsIn(folders).flatMap(({ code }) => code ?? []))].toSorted();

/** Libraries that both apps call: the domain and shared code. */
const SHARED = ['libs/kernel', 'libs/order', 'libs/payment', 'libs/onboarding', 'libs/account'];

const NEW_ID = 'the id is new';
const VALIDATED = 'the body is validated before';
const OF_OPERATORS = 'only operators send the command';
const OF_PLATFORMS = 'only platforms send the command';

/** The rejection codes that no HTTP request to the app can cause, each with the reason. */
const IMPOSSIBLE: Readonly<Record<'api' | 'admin', Readonly<Record<string, string>>>> = {
  api: {
    already_approved: OF_OPERATORS,
    invalid_day: OF_OPERATORS,
    invalid_duration: VALIDATED,
    invalid_instant: VALIDATED,
    merchant_exists: NEW_ID,
    no_intent: OF_OPERATORS,
    no_mismatch: OF_OPERATORS,
    order_exists: NEW_ID,
    refund_not_open: OF_OPERATORS,
    refund_not_requested: OF_OPERATORS,
  },
  admin: {
    invalid_capture_delay: OF_PLATFORMS,
    invalid_currency: OF_PLATFORMS,
    invalid_duration: VALIDATED,
    invalid_instant: VALIDATED,
    invalid_methods: OF_PLATFORMS,
    merchant_exists: OF_PLATFORMS,
    merchant_not_registered: OF_PLATFORMS,
    merchant_not_validated: OF_PLATFORMS,
    order_exists: OF_PLATFORMS,
    personal_data_erased: OF_PLATFORMS,
    registration_in_progress: OF_PLATFORMS,
    terminal_not_found: OF_PLATFORMS,
    terminal_not_pending: OF_PLATFORMS,
    terminal_order_in_progress: OF_PLATFORMS,
  },
};

test.each([
  ['api', ['apps/api', 'libs/psp-hosted'], ERROR_CODES],
  ['admin', ['apps/admin', 'libs/operations', 'libs/platform'], problems.rejections ?? {}],
] as const)(
  'the documentation of the %s lists every code with which the app can reject a request',
  (app, own, listed) => {
    const impossible = IMPOSSIBLE[app];
    const codes = codesOf([...SHARED, ...own]);
    const lacking = codes.filter((code) => !Object.hasOwn(listed, code));
    expect(lacking).toEqual(Object.keys(impossible).toSorted());
    expect(codes.length).toBeGreaterThan(40);
  },
);

/**
 * The functions that receive the rejection code as an argument. The previous test does not find
 * these codes, because it finds only literals. In `undecided` and `tenancy` the argument's type
 * limits the possible codes.
 */
test('only the functions that this spec lists reject with a code that their caller passes as an argument', () => {
  const others = rejectionsIn(['libs', 'apps/api', 'apps/admin', 'apps/worker']).filter(
    ({ other }) => other !== undefined,
  );
  expect(others.map(({ path }) => path).toSorted()).toEqual([
    'apps/api/shared/tenancy.ts',
    'libs/operations/undecided.ts',
    'libs/order/domain/order-decider.ts',
    'libs/psp-hosted/document-upload.ts',
  ]);
});
