import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The response fields that release 0.2.0 renamed: the JSON path of their object, their former name
 * and their current name.
 */
const RENAMED = [
  ['{}', 'takenBackMinor', 'chargedBackMinor'],
  ['{}', 'outcomeUnknown', 'unknownResults'],
  ['{payment}', 'outcomeUnknown', 'unknownResults'],
  ['{orders}', 'open', 'enabled'],
] as const;

const pathTo = (parent: string, name: string): string =>
  parent === '{}' ? `{${name}}` : parent.replace('}', `,${name}}`);

/**
 * Renames fields in stored responses, so that a repeated request receives its stored response with
 * the field names of the current API.
 */
export class StoredResponses1760000000710 implements MigrationInterface {
  readonly name = 'StoredResponses1760000000710';

  async up(runner: QueryRunner): Promise<void> {
    for (const [parent, was, is] of RENAMED) {
      const [before, after] = [pathTo(parent, was), pathTo(parent, is)];
      await runner.query(
        `UPDATE idempotency_keys
            SET body = jsonb_set(body #- '${before}', '${after}', body #> '${before}')
          WHERE jsonb_exists(body #> '${parent}', '${was}')`,
      );
    }
    await runner.query(
      `UPDATE idempotency_keys SET body = jsonb_set(body, '{status}', '"awaiting_approval"')
        WHERE body ->> 'id' LIKE 'acc\\_%' AND body ->> 'status' = 'waiting'`,
    );
  }

  /** Does nothing, because no release that can use this schema has used the former names. */
  down(): Promise<void> {
    return Promise.resolve();
  }
}
