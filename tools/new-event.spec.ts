import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

/** The file with the events of each aggregate, by the aggregate's name in CONTRIBUTING.md. */
const EVENTS: Readonly<Record<string, string>> = {
  order: 'libs/order/domain/order-event.ts',
  payment: 'libs/payment/domain/payment-event.ts',
  payout: 'libs/payout/domain/payout-event.ts',
  merchant: 'libs/onboarding/domain/merchant-event.ts',
  account: 'libs/account/domain/account-event.ts',
  'webhook endpoint': 'libs/webhook/domain/endpoint-event.ts',
};

const root = process.cwd();
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, root);
/** The sources that must handle every event. Specs need not. */
const sources = fileNames
  .map((path) => relative(root, path))
  .filter((path) => !/^apps\/sandbox\/|\.(?:spec|fixture)\.ts$/.test(path));

const words = new Map<string, ReadonlySet<string>>();
const wordsOf = (path: string): ReadonlySet<string> => {
  const found = words.get(path) ?? new Set(textOf(path).match(/\w+/g));
  words.set(path, found);
  return found;
};

const parsed = new Map<string, ts.SourceFile | undefined>();

/** A compiler host that caches the parsed files for all programs, except the `changed` files. */
const hostWith = (changed: ReadonlyMap<string, string>): ts.CompilerHost => {
  const host = ts.createCompilerHost(options);
  const { readFile, getSourceFile } = host;
  host.readFile = (path) => changed.get(path) ?? readFile(path);
  host.getSourceFile = (path, as) => {
    if (changed.has(path)) return getSourceFile(path, as);
    if (!parsed.has(path)) parsed.set(path, getSourceFile(path, as));
    return parsed.get(path);
  };
  return host;
};

/** The union of events of an aggregate, with a new event. */
interface Planted {
  readonly path: string;
  readonly text: string;
  readonly newType: string;
  /** The files that may have to handle the event. */
  readonly candidates: readonly string[];
}

const plant = (aggregate: string, path: string): Planted => {
  const before = textOf(path);
  const types = [...before.matchAll(/readonly type: '(\w+)'/g)].map(([, type = '']) => type);
  const newType = `SomethingNewOf_${aggregate}`;
  const text = before.replace(
    /^export type \w+Event = Dated<$/m,
    `$&\n  | { readonly type: '${newType}' }`,
  );
  expect(text).not.toBe(before);
  // Such a file mentions most event types of the union. It may leave some of them to another file.
  const isDeciding = (one: string): boolean => {
    const words = wordsOf(one);
    return types.filter((type) => words.has(type)).length > types.length / 2;
  };
  const candidates = sources.filter((one) => one !== path && isDeciding(one));
  return { path, text, newType, candidates };
};

/** The messages of the compiler about each candidate, if all these events are new. */
const errorsWith = (all: readonly Planted[]): ReadonlyMap<string, readonly string[]> => {
  const candidates = [...new Set(all.flatMap((one) => one.candidates))];
  const program = ts.createProgram({
    rootNames: candidates.map((one) => join(root, one)),
    options: { ...options, noEmit: true, incremental: false, noErrorTruncation: true },
    host: hostWith(new Map(all.map(({ path, text }) => [join(root, path), text]))),
  });
  return new Map(
    candidates.map((one) => [
      one,
      program
        .getSemanticDiagnostics(program.getSourceFile(join(root, one)))
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
    ]),
  );
};

const planted = new Map(
  Object.entries(EVENTS).map(([aggregate, path]) => [aggregate, plant(aggregate, path)]),
);
/** One program for all aggregates, because each program takes more than a second. */
const errors = errorsWith([...planted.values()]);

/** The files that no longer compile after a new event was added to the union of events. */
const placesOf = (aggregate: string): readonly string[] => {
  const own = planted.get(aggregate);
  if (own === undefined) throw new Error(`no event of ${aggregate} was planted`);
  const mentions = (one: string, { newType }: Planted): boolean =>
    (errors.get(one) ?? []).some((message) => message.includes(newType));
  // An error that names no new event may come from any of them: the file is compiled with this
  // event alone.
  const isUnclear = (one: string): boolean =>
    (errors.get(one) ?? []).some((message) => !message.includes('SomethingNewOf_'));
  const unclear = own.candidates.filter((one) => !mentions(one, own) && isUnclear(one));
  const alone = unclear.length === 0 ? null : errorsWith([{ ...own, candidates: unclear }]);
  return own.candidates.filter((one) => mentions(one, own) || (alone?.get(one) ?? []).length > 0);
};

const recipe = textOf('CONTRIBUTING.md').split('### A new event\n')[1]?.split('\n### ')[0] ?? '';

/** The files that the recipe in CONTRIBUTING.md lists for a new event of this aggregate. */
const namedFor = (aggregate: string): readonly string[] => {
  const row = recipe.split('\n').find((line) => line.trim().startsWith(`| ${aggregate} |`)) ?? '';
  return [...row.matchAll(/`([^`]+\.ts)`/g)].map(([, path = '']) => path);
};

test.each(Object.keys(EVENTS))(
  'a new event of %s does not compile until each file in the recipe handles or ignores the event',
  (aggregate) => {
    expect(namedFor(aggregate).toSorted()).toEqual(placesOf(aggregate).toSorted());
  },
);
