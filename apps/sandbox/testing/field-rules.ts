import type { AnySchemaObject } from 'ajv/dist/2020.js';
import type { Harness } from './harness.js';

/**
 * The rule of one field: the minimum and maximum length of a text, or accepted and rejected values.
 */
export type FieldRule =
  | readonly [field: string, shortest: number, longest: number]
  | readonly [field: string, taken: readonly unknown[], refused: readonly unknown[]];

const casesOf = (rule: FieldRule): { taken: readonly unknown[]; refused: readonly unknown[] } => {
  const [, shortest, longest] = rule;
  if (typeof shortest !== 'number' || typeof longest !== 'number') {
    return { taken: [rule[1]].flat(), refused: [rule[2]].flat() };
  }
  const text = (length: number): string => 'x'.repeat(length);
  return {
    taken: [text(shortest), text(longest)],
    refused: [text(shortest - 1), text(longest + 1), 7, true, []],
  };
};

/**
 * Tests each field of a request body with values that its rule accepts and rejects. A field without
 * a rule fails the test.
 */
export const describeFields = (
  sandbox: () => Harness,
  path: string,
  schema: AnySchemaObject,
  body: () => Promise<object> | object,
  rules: readonly FieldRule[],
  elsewhere: readonly string[] = [],
): void => {
  test(`every field of ${path} has a rule`, () => {
    const fields = [...rules.map(([field]) => field), ...elsewhere].sort();
    expect(Object.keys(schema['properties'] as object).sort()).toEqual(fields);
  });

  test.each(rules.map((rule) => [rule[0], rule] as const))(
    `${path} accepts only the valid values of %s`,
    async (field, rule) => {
      const { taken, refused } = casesOf(rule);
      for (const value of taken) {
        const sent = { ...(await body()), [field]: value };
        const { status, body: answered } = await sandbox().call('POST', path, sent);
        expect([value, status, answered['detail'] ?? null]).toEqual([value, 200, null]);
      }
      for (const value of refused) {
        const sent = { ...(await body()), [field]: value };
        const { status, body: answered } = await sandbox().call('POST', path, sent);
        expect([value, status]).toEqual([value, 422]);
        expect(answered['detail']).toContainEqual(
          expect.objectContaining({ loc: ['body', field] }),
        );
      }
    },
  );

  test(`${path} names every missing required field`, async () => {
    const required = (schema['required'] ?? []) as readonly string[];
    for (const field of required) {
      const { [field]: _left, ...rest } = (await body()) as Record<string, unknown>;
      const { status, body: answered } = await sandbox().call('POST', path, rest);
      expect([status, answered['detail']]).toMatchObject([
        422,
        [{ loc: ['body', field], type: 'missing' }],
      ]);
    }
  });
};
