export const REQUEST_EXCEPTION_CLOSING = `
-- A platform asks for one thing of the console's people: that an exception be closed. With rights
-- on the table, an intruder in the api could write any request, as approved, and the console would
-- execute it. So a function of the owner writes this one, with its entry of the audit. False where
-- an equal one is open. A key's name differs from that of any user.
CREATE FUNCTION request_exception_closing(
        action_id text, exception_id text, of_platform text, by_key text, why text, request text
      ) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  requested_kind CONSTANT text := 'close_exception';
  wanted CONSTANT jsonb := jsonb_build_object('subjectId', exception_id);
  requester CONSTANT text := 'platform:' || of_platform || ' key:' || by_key;
BEGIN
  IF NOT EXISTS (
    SELECT FROM reconciliation_exceptions x
     WHERE x.exception_id = request_exception_closing.exception_id AND x.platform_id = of_platform
  ) OR NOT EXISTS (
    SELECT FROM api_keys k WHERE k.prefix = by_key AND k.platform_id = of_platform
       AND k.revoked_at IS NULL
  ) THEN
    RAISE EXCEPTION 'platform % asks, by the key %, for what is not its own', of_platform, by_key;
  END IF;
  -- An expired request does not block an equal new one.
  UPDATE admin_actions SET status = 'expired', ended_at = expires_at, private = NULL
   WHERE kind = requested_kind AND target = wanted AND status = 'pending' AND expires_at <= now();
  INSERT INTO admin_actions (id, kind, target, subject_type, subject_id, reason, requested_by,
         expires_at, status)
  VALUES (action_id, requested_kind, wanted, 'exception', exception_id, why, requester,
          now() + interval '24 hours', 'pending')
  ON CONFLICT (kind, target) WHERE status IN ('pending', 'executing') DO NOTHING;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO audit (actor, action, subject_type, subject_id, reason, request_id, detail)
  VALUES (requester, 'action.requested', 'exception', exception_id, why, request,
          jsonb_build_object('kind', requested_kind, 'actionId', action_id, 'target', wanted));
  RETURN true;
END
$$;
`;

/**
 * The tables of the console: its users, the actions that they request and approve, and the audit.
 */
export const ADMIN = `
-- password_expires_at: of a one-time password, which must be changed at the first sign-in.
CREATE TABLE admin_users (
  id                   text        PRIMARY KEY,
  name                 text        NOT NULL UNIQUE,
  role                 text        NOT NULL CHECK (role IN ('viewer', 'operator', 'admin')),
  password_hash        text        NOT NULL,
  password_expires_at  timestamptz,
  created_at           timestamptz NOT NULL DEFAULT clock_timestamp(),
  disabled_at          timestamptz
);

-- Wall time. A session ends at expires_at, and earlier when it is not used.
CREATE TABLE admin_sessions (
  token_hash    bytea       PRIMARY KEY,
  user_id       text        NOT NULL REFERENCES admin_users,
  created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  last_seen_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at    timestamptz NOT NULL
);
CREATE INDEX admin_sessions_of ON admin_sessions (user_id);

-- Sign-ins that were tried, by a hash of the account's name or of the address.
CREATE TABLE admin_sign_in_attempts (
  key_hash   bytea       PRIMARY KEY,
  tries      integer     NOT NULL,
  ends_at    timestamptz NOT NULL
);

-- Browsers in which a user has signed in: guessing from elsewhere does not keep the user out of
-- these.
CREATE TABLE admin_known_browsers (
  token_hash  bytea       PRIMARY KEY,
  user_id     text        NOT NULL REFERENCES admin_users,
  used_at     timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX admin_known_browsers_of_user ON admin_known_browsers (user_id, used_at);

-- Who did what to what, when and why. Kept for ever and never changed.
CREATE TABLE audit (
  id            bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at            timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor         text        NOT NULL,
  action        text        NOT NULL,
  subject_type  text,
  subject_id    text,
  reason        text,
  request_id    text        NOT NULL,
  detail        jsonb       NOT NULL DEFAULT '{}'
);
CREATE INDEX audit_newest ON audit (at DESC, id DESC);
CREATE INDEX audit_of_subject ON audit (subject_id, at DESC, id DESC);
CREATE INDEX audit_of_actor ON audit (actor, at DESC, id DESC);
CREATE INDEX audit_of_action ON audit (action, at DESC, id DESC);

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit is only added to';
END
$$;
CREATE TRIGGER audit_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

-- pending: waits for a second person. executing: begun; after a crash it is executed again, which
-- does nothing twice. Wall time. requested_by: a user's id, or platform:<id> key:<prefix>. about:
-- how much of what, for the list of what is pending. private: what begins with the approval and is
-- not to be read. Erased with the end.
CREATE TABLE admin_actions (
  id            text        PRIMARY KEY,
  kind          text        NOT NULL,
  target        jsonb       NOT NULL,
  subject_type  text        NOT NULL,
  subject_id    text        NOT NULL,
  reason        text        NOT NULL,
  status        text        NOT NULL CHECK (
    status IN ('pending', 'executing', 'done', 'failed', 'rejected', 'expired')),
  requested_by  text        NOT NULL,
  requested_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at    timestamptz NOT NULL,
  decided_by    text        REFERENCES admin_users,
  decided_at    timestamptz,
  claimed_at    timestamptz,
  ended_at      timestamptz,
  outcome       jsonb,
  about         jsonb,
  private       jsonb,
  CONSTRAINT requester_does_not_approve CHECK (
    status = 'rejected' OR decided_by IS NULL OR decided_by <> requested_by)
);
CREATE INDEX admin_actions_newest ON admin_actions (requested_at DESC, id DESC);
CREATE INDEX admin_actions_open ON admin_actions (status, requested_at DESC, id DESC)
 WHERE status IN ('pending', 'executing');
-- Of equal requests one is open at a time.
CREATE UNIQUE INDEX admin_actions_once ON admin_actions (kind, target)
 WHERE status IN ('pending', 'executing');

${REQUEST_EXCEPTION_CLOSING}

-- One row: a production process was started on this database.
CREATE TABLE production_marks (
  is_marked  boolean     PRIMARY KEY DEFAULT true CHECK (is_marked),
  marked_at  timestamptz NOT NULL DEFAULT clock_timestamp()
);
`;
