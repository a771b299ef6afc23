import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Fields of responses that 0.2.0 renamed: where they are, and both names. */
const RENAMED = [
  ['{}', 'takenBackMinor', 'chargedBackMinor'],
  ['{}', 'outcomeUnknown', 'unknownResults'],
  ['{payment}', 'outcomeUnknown', 'unknownResults'],
  ['{orders}', 'open', 'enabled'],
] as const;

const pathTo = (parent: string, name: string): string =>
  parent === '{}' ? `{${name}}` : parent.replace('}', `,${name}}`);

/** A repeated request gets its stored response with the fields of today's API. */
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

  /** The former fields are those of no release that could run. */
  down(): Promise<void> {
    return Promise.resolve();
  }
}
