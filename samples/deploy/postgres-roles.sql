-- The roles of payrun in PostgreSQL, each with no more than it needs. Run this as a superuser in the database of the journal:
--
--   createdb --encoding UTF8 --template template0 payrun
--   psql -d payrun -f postgres-roles.sql
--   psql -d payrun -c '\password payrun_owner' -c '\password payrun_worker' -c '\password payrun_page'
--   PGPASSWORD=… payrun worker --prepare --database postgres://payrun_owner@HOST/payrun
--   psql -d payrun -f postgres-roles.sql
--
-- The fourth line makes the tables, and upgrades them after payrun was upgraded; the last one grants the permissions on them.
-- Run both again after each upgrade: until then payrun says which permission is missing, and pays nothing.
--
--   payrun_owner   owns the schemas: makes and upgrades the tables, and does nothing else
--   payrun_worker  pays: worker, run, resume, retry, schedule
--   payrun_page    reads, makes and approves plans, and asks to cancel or pause a run; nothing can be paid with it, because no
--                  intent to pay can be written. People, sessions, uploads and the audit log of the page are its own; payrun_worker
--                  reads of them who people are and what was done, to know whose approvals count, and no password, session or file
--
-- A page on which people also start payments needs a login that is both: CREATE ROLE payrun_office LOGIN IN ROLE payrun_page, payrun_worker

DO $$
DECLARE
  role text;
BEGIN
  FOREACH role IN ARRAY ARRAY['payrun_owner', 'payrun_worker', 'payrun_page'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN
      EXECUTE format('CREATE ROLE %I LOGIN', role);
    END IF;
  END LOOP;
END
$$;

CREATE SCHEMA IF NOT EXISTS payrun AUTHORIZATION payrun_owner;
REVOKE ALL ON SCHEMA payrun FROM PUBLIC;
GRANT USAGE ON SCHEMA payrun TO payrun_worker, payrun_page;

-- The queue by which workers are woken (pg-boss). No payment rests on it.
CREATE SCHEMA IF NOT EXISTS payrun_queue AUTHORIZATION payrun_owner;
REVOKE ALL ON SCHEMA payrun_queue FROM PUBLIC;
GRANT USAGE ON SCHEMA payrun_queue TO payrun_worker;

DO $$
BEGIN
  IF to_regclass('payrun_queue.version') IS NULL THEN
    RETURN;
  END IF;

  GRANT SELECT ON ALL TABLES IN SCHEMA payrun_queue TO payrun_worker;
  GRANT INSERT, UPDATE, DELETE ON payrun_queue.job, payrun_queue.job_common TO payrun_worker;
  GRANT UPDATE ON payrun_queue.queue, payrun_queue.version TO payrun_worker;
END
$$;

DO $$
BEGIN
  IF to_regclass('payrun.schema_version') IS NULL THEN
    RAISE NOTICE 'There are no tables yet: let payrun_owner make them, then run this again.';
    RETURN;
  END IF;

  GRANT SELECT ON ALL TABLES IN SCHEMA payrun TO payrun_worker, payrun_page;

  -- Entries are added and never changed.
  GRANT INSERT ON payrun.run, payrun.lease, payrun.entry TO payrun_worker, payrun_page;
  GRANT UPDATE ON payrun.run, payrun.lease TO payrun_worker, payrun_page;
  GRANT INSERT, UPDATE ON payrun.projected_run, payrun.projected_states, payrun.projected_orders, payrun.journal_file
    TO payrun_worker, payrun_page;
  GRANT INSERT, UPDATE ON payrun.cancel_asked, payrun.pause_asked TO payrun_worker, payrun_page;
  -- The page takes a run from the workers when somebody pauses it.
  GRANT INSERT, UPDATE, DELETE ON payrun.queued_run TO payrun_worker;
  GRANT DELETE ON payrun.queued_run TO payrun_page;
  -- Who must not be paid is added to and never changed.
  GRANT INSERT ON payrun.payee_hold TO payrun_worker, payrun_page;
  -- To lock it: it holds nothing.
  GRANT UPDATE ON payrun.run_start TO payrun_worker, payrun_page;
  -- Who pays may move the journal to another one, and back; who plans only reads that it was moved.
  GRANT INSERT, UPDATE, DELETE ON payrun.journal_move TO payrun_worker;
  -- A schedule notes of what people were notified.
  GRANT INSERT ON payrun.announcement TO payrun_worker;
  -- Every process that sends requests keeps to the limit that all share.
  GRANT INSERT, UPDATE ON payrun.rate_limit TO payrun_worker, payrun_page;
  -- Webhooks are received by those who pay; the oldest are deleted.
  GRANT INSERT, UPDATE, DELETE ON payrun.hint TO payrun_worker;

  ALTER TABLE payrun.entry ENABLE ROW LEVEL SECURITY;
  DROP POLICY IF EXISTS worker ON payrun.entry;
  DROP POLICY IF EXISTS page_reads ON payrun.entry;
  DROP POLICY IF EXISTS page_plans ON payrun.entry;
  CREATE POLICY worker ON payrun.entry TO payrun_worker USING (true) WITH CHECK (true);
  CREATE POLICY page_reads ON payrun.entry FOR SELECT TO payrun_page USING (true);
  CREATE POLICY page_plans ON payrun.entry FOR INSERT TO payrun_page
    WITH CHECK (kind NOT IN ('started', 'intent', 'ensure_intent'));
END
$$;

CREATE SCHEMA IF NOT EXISTS payrun_page AUTHORIZATION payrun_owner;
REVOKE ALL ON SCHEMA payrun_page FROM PUBLIC;
GRANT USAGE ON SCHEMA payrun_page TO payrun_worker, payrun_page;

DO $$
BEGIN
  IF to_regclass('payrun_page.schema_version') IS NULL THEN
    RETURN;
  END IF;

  GRANT SELECT, INSERT, UPDATE, DELETE ON
    payrun_page.person_grant, payrun_page.invitation, payrun_page.passkey, payrun_page.known_device, payrun_page.session,
    payrun_page.attempt, payrun_page.kept_file, payrun_page.header_set, payrun_page.started_run, payrun_page.work,
    payrun_page.planning, payrun_page.refused_act, payrun_page.notice_choice, payrun_page.notice, payrun_page.api_answer,
    payrun_page.authenticator_app, payrun_page.recovery_code, payrun_page.page_setting, payrun_page.webhook_delivery,
    payrun_page.provider_account, payrun_page.page_notice, payrun_page.page_notice_choice, payrun_page.person_view,
    payrun_page.payee_tag, payrun_page.file_layout
    TO payrun_page;
  -- People and what was uploaded are locked and removed by a note, and stay known.
  GRANT SELECT, INSERT, UPDATE ON
    payrun_page.person, payrun_page.access_change, payrun_page.upload, payrun_page.audit_head, payrun_page.api_token,
    payrun_page.webhook_endpoint, payrun_page.entity, payrun_page.connection
    TO payrun_page;
  -- Edits of rows are never altered, and removed with the file.
  GRANT SELECT, INSERT, DELETE ON payrun_page.upload_edit TO payrun_page;
  -- Parts of a file go with it.
  GRANT SELECT, INSERT ON payrun_page.audit, payrun_page.file_part TO payrun_page;
  -- To lock it: it holds nothing.
  GRANT UPDATE ON payrun_page.turn TO payrun_page;

  GRANT SELECT (id, name, name_key, created_at, locked_at, key_file, public_key) ON payrun_page.person TO payrun_worker;
  GRANT SELECT ON payrun_page.person_grant, payrun_page.access_change, payrun_page.audit TO payrun_worker;
  -- With which keys the connections of the page are reached: references, and no key.
  GRANT SELECT ON payrun_page.connection TO payrun_worker;
  -- Whose token signed a plan, and not the token.
  GRANT SELECT (id, person_id, name, scopes, key_file, public_key, created_at, expires_at, used_at, revoked_at)
    ON payrun_page.api_token TO payrun_worker;
  GRANT SELECT ON payrun_page.schema_version TO payrun_worker, payrun_page;
END
$$;
