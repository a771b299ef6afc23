import type { MigrationInterface, QueryRunner } from 'typeorm';
import { REQUEST_EXCEPTION_CLOSING } from './schema/admin.js';

/**
 * Stores the amounts of each action request, so that an approver sees them in the list; before, only
 * actions on one payment or order had an amount. The amount of a platform's request to close a
 * break is the money that the break leaves in doubt, as for an operator's request.
 */
export class AmountsOfActions1760000000950 implements MigrationInterface {
  readonly name = 'AmountsOfActions1760000000950';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
-- amounts: [{"amountMinor": 1250, "currency": "eur"}]; NULL: requested by an earlier release.
ALTER TABLE admin_actions ADD COLUMN amounts jsonb`);
    await runner.query(`
CREATE OR REPLACE FUNCTION request_exception_closing(
        action_id text, exception_id text, of_platform text, by_key text, why text, request text
      ) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  requested_kind CONSTANT text := 'close_exception';
  wanted CONSTANT jsonb := jsonb_build_object('subjectId', exception_id);
  requester CONSTANT text := 'platform:' || of_platform || ' key:' || by_key;
  number CONSTANT text := '^-?[0-9]{1,15}$';
  concerned jsonb;
BEGIN
  -- The money that the break leaves in doubt: the difference if an amount or a fee differs, else the
  -- amount.
  SELECT jsonb_build_array(jsonb_build_object('currency', x.currency, 'amountMinor',
           CASE WHEN x.kind IN ('amount', 'fee') AND x.expected ~ number
                THEN abs(x.expected::bigint
                         - CASE WHEN x.observed ~ number THEN x.observed::bigint ELSE 0 END)
                ELSE abs(x.amount_minor) END))
    INTO concerned
    FROM reconciliation_exceptions x
   WHERE x.exception_id = request_exception_closing.exception_id AND x.platform_id = of_platform;
  IF concerned IS NULL OR NOT EXISTS (
    SELECT FROM api_keys k WHERE k.prefix = by_key AND k.platform_id = of_platform
       AND k.revoked_at IS NULL
  ) THEN
    RAISE EXCEPTION 'platform % asks, by the key %, for what is not its own', of_platform, by_key;
  END IF;
  -- An expired request does not block an equal new one.
  UPDATE admin_actions SET status = 'expired', ended_at = expires_at, private = NULL
   WHERE kind = requested_kind AND target = wanted AND status = 'pending' AND expires_at <= now();
  INSERT INTO admin_actions (id, kind, target, subject_type, subject_id, reason, requested_by,
         expires_at, status, amounts)
  VALUES (action_id, requested_kind, wanted, 'exception', exception_id, why, requester,
          now() + interval '24 hours', 'pending', concerned)
  ON CONFLICT (kind, target) WHERE status IN ('pending', 'executing') DO NOTHING;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO audit (actor, action, subject_type, subject_id, reason, request_id, detail)
  VALUES (requester, 'action.requested', 'exception', exception_id, why, request,
          jsonb_build_object('kind', requested_kind, 'actionId', action_id, 'target', wanted));
  RETURN true;
END
$$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION request_exception_closing');
    await runner.query(REQUEST_EXCEPTION_CLOSING);
    await runner.query('ALTER TABLE admin_actions DROP COLUMN amounts');
  }
}
