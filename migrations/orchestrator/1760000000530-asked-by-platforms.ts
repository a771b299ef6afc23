import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A platform asks for one thing of the console's people: that an exception be closed. With rights on
 * the table, whoever took the api over could write any wish, as approved, and the console would carry
 * it out. So a function of the owner writes this one, with its entry of the audit.
 */
export class AskedByPlatforms1760000000530 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- False where an equal one is open. A key's name tells it from any user.
      CREATE FUNCTION ask_to_close_exception(
        action_id text, exception_id text, of_platform text, by_key text, why text, request text
      ) RETURNS boolean LANGUAGE plpgsql AS $$
      DECLARE
        wish CONSTANT text := 'close_exception';
        wanted CONSTANT jsonb := jsonb_build_object('subjectId', exception_id);
        requester CONSTANT text := 'platform:' || of_platform || ' key:' || by_key;
      BEGIN
        IF NOT EXISTS (
          SELECT FROM reconciliation_exceptions x
           WHERE x.exception_id = ask_to_close_exception.exception_id AND x.platform_id = of_platform
        ) OR NOT EXISTS (
          SELECT FROM api_keys k WHERE k.prefix = by_key AND k.platform_id = of_platform
             AND k.revoked_at IS NULL
        ) THEN
          RAISE EXCEPTION 'platform % asks, by the key %, for what is not its own', of_platform, by_key;
        END IF;
        -- What nobody approved in time makes room for an equal one.
        UPDATE admin_actions SET status = 'expired', ended_at = expires_at, private = NULL
         WHERE kind = wish AND target = wanted AND status = 'pending' AND expires_at <= now();
        INSERT INTO admin_actions (id, kind, target, subject_type, subject_id, reason, requested_by,
               expires_at, status)
        VALUES (action_id, wish, wanted, 'exception', exception_id, why, requester,
                now() + interval '24 hours', 'pending')
        ON CONFLICT (kind, target) WHERE status IN ('pending', 'executing') DO NOTHING;
        IF NOT FOUND THEN
          RETURN false;
        END IF;
        INSERT INTO audit (actor, action, subject_type, subject_id, reason, request_id, detail)
        VALUES (requester, 'action.requested', 'exception', exception_id, why, request,
                jsonb_build_object('kind', wish, 'actionId', action_id, 'target', wanted));
        RETURN true;
      END
      $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION ask_to_close_exception');
  }
}
