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

/**
 * A compiler host that caches the parsed files for all programs, and returns `text` for the file
 * `changed`.
 */
const hostWith = (changed: string, text: string): ts.CompilerHost => {
  const host = ts.createCompilerHost(options);
  const { readFile, getSourceFile } = host;
  host.readFile = (path) => (path === changed ? text : readFile(path));
  host.getSourceFile = (path, as) => {
    if (path === changed) return getSourceFile(path, as);
    if (!parsed.has(path)) parsed.set(path, getSourceFile(path, as));
    return parsed.get(path);
  };
  return host;
};

/** The files that no longer compile after a new event was added to the union of events. */
const placesOf = (path: string): readonly string[] => {
  const text = textOf(path);
  const types = [...text.matchAll(/readonly type: '(\w+)'/g)].map(([, type = '']) => type);
  const more = text.replace(
    /^export type \w+Event = Dated<$/m,
    "$&\n  | { readonly type: 'SomethingNew' }",
  );
  expect(more).not.toBe(text);
  // Such a file mentions most event types of the union. It may leave some of them to another file.
  const isDeciding = (one: string): boolean => {
    const words = wordsOf(one);
    return types.filter((type) => words.has(type)).length > types.length / 2;
  };
  const candidates = sources.filter((one) => one !== path && isDeciding(one));
  const program = ts.createProgram({
    rootNames: candidates.map((one) => join(root, one)),
    options: { ...options, noEmit: true, incremental: false },
    host: hostWith(join(root, path), more),
  });
  return candidates.filter((one) => {
    const file = program.getSourceFile(join(root, one));
    return program.getSemanticDiagnostics(file).length > 0;
  });
};

const recipe = textOf('CONTRIBUTING.md').split('### A new event\n')[1]?.split('\n### ')[0] ?? '';

/** The files that the recipe in CONTRIBUTING.md lists for a new event of this aggregate. */
const namedFor = (aggregate: string): readonly string[] => {
  const row = recipe.split('\n').find((line) => line.trim().startsWith(`| ${aggregate} |`)) ?? '';
  return [...row.matchAll(/`([^`]+\.ts)`/g)].map(([, path = '']) => path);
};

test.each(Object.entries(EVENTS))(
  'a new event of %s does not compile until each file in the recipe handles or ignores the event',
  (aggregate, path) => {
    expect(namedFor(aggregate).toSorted()).toEqual(placesOf(path).toSorted());
  },
);
