/**
 * A run can be a plan that waits to be started, and can pay one period of a job. Only started runs forbid others. A new
 * run is started by default: an older payrun that is still at work knows no plans.
 */
export const sql = `
ALTER TABLE run ADD COLUMN is_planned integer NOT NULL DEFAULT 0 CHECK (is_planned IN (0, 1));
ALTER TABLE run ADD COLUMN job_period text;

CREATE INDEX run_job_period ON run (job_period) WHERE job_period IS NOT NULL;
`;
