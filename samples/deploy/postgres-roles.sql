-- The roles of payrun in PostgreSQL, each with no more than it needs. Run this as a superuser in the database of the journal:
--
--   createdb --encoding UTF8 --template template0 payrun
--   psql -d payrun -f postgres-roles.sql
--   psql -d payrun -c '\password payrun_owner' -c '\password payrun_worker' -c '\password payrun_page'
--   PGPASSWORD=… payrun runs --database postgres://payrun_owner@HOST/payrun
--   psql -d payrun -f postgres-roles.sql
--
-- The fourth line makes the tables, and upgrades them after payrun was upgraded; the last one grants the permissions on them.
-- Run both again after each upgrade: until then payrun says which permission is missing, and pays nothing.
--
--   payrun_owner   owns the schema: makes and upgrades the tables, and does nothing else
--   payrun_worker  pays: run, resume, retry, schedule
--   payrun_page    reads, makes and approves plans, and asks to cancel or pause a run; nothing can be paid with it, because no
--                  intent to pay can be written

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
  -- To lock it: it holds nothing.
  GRANT UPDATE ON payrun.run_start TO payrun_worker, payrun_page;
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
