import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { SECRETS_OF } from '../../tools/infra/app-environment.mjs';
import { CHART } from './rendered.js';
import { documentedFor, isFixed, PROCESSES } from './variables.js';

interface Schema {
  readonly description?: string;
  readonly $ref?: string;
  readonly additionalProperties?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

const read = (file: string): string => readFileSync(join(CHART, file), 'utf8');
const schema = JSON.parse(read('values.schema.json')) as Schema;

/** Each value that the schema describes, with its path. */
const valuesOf = (at: Schema, path = ''): readonly (readonly [string, Schema])[] => {
  const { properties } =
    at.$ref === undefined ? at : (schema.definitions?.[at.$ref.slice(14)] ?? {});
  return Object.entries(properties ?? {}).flatMap(([name, one]) => [
    [`${path}/${name}`, one] as const,
    ...valuesOf(one, `${path}/${name}`),
  ]);
};

const described = new Map(valuesOf(schema));

test('the schema describes each value, and allows no unknown values', () => {
  expect(described.size).toBeGreaterThan(100);
  for (const [path, { description = '', properties, additionalProperties }] of described) {
    expect([path, description]).toEqual([path, expect.stringMatching(/^[A-Z].*\.$/)]);
    if (properties !== undefined) expect([path, additionalProperties]).toEqual([path, false]);
  }
});

const SECRETS = new Set(Object.values(SECRETS_OF).flat());

test.each(PROCESSES)(
  'the values of %s are the settings and secrets that the documentation lists for it',
  (name) => {
    /**
     * The names that the schema describes below `env` or `secrets`: for all processes, and for this
     * process only.
     */
    const named = (kind: 'env' | 'secrets'): readonly string[] => [
      ...new Set(
        [...described.keys()].flatMap((path) => {
          const [, own] = new RegExp(`^(?:/${name})?/${kind}/(\\w+)$`).exec(path) ?? [];
          return own === undefined ? [] : [own];
        }),
      ),
    ];
    const documented = [...documentedFor(name)].filter((variable) => !isFixed(variable));
    const settings = documented.filter((variable) => !SECRETS.has(variable));
    expect([...named('env')].sort()).toEqual(settings.sort());
    const read = (SECRETS_OF[name] ?? []).filter((variable) => !isFixed(variable));
    expect(named('secrets')).toEqual(expect.arrayContaining(read));
  },
);

test('the chart contains no secret value', () => {
  const values = parse(read('values.yaml')) as Readonly<
    Record<string, { readonly secrets?: object; readonly env?: object }>
  >;
  const references = [
    values['secrets'] ?? {},
    ...Object.values(values).flatMap(({ secrets }) => (secrets === undefined ? [] : [secrets])),
  ].flatMap((secrets) => Object.values(secrets) as object[]);
  expect(references.length).toBeGreaterThan(7);
  for (const reference of references) {
    expect(Object.keys(reference)).toEqual(['existingSecret', 'key']);
  }
});
