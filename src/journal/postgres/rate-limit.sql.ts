/** Makes the table and the function of the limit that all processes share. A migration: once released, it is never edited. */
export const RATE_LIMIT_SQL = `
-- One row for each service and key: when its next request may leave. Times are in microseconds, by the clock of the database.
-- key is a hash. The pace is that of requests in any window of this span, 0 for no limit; late is how late a request may come
-- in its slot; paced_at and late_at are when these were last asked for. server is when the server was started that gave the last slots.
CREATE TABLE rate_limit (
  key text COLLATE "C" PRIMARY KEY,
  server timestamptz NOT NULL,
  requests bigint NOT NULL,
  span bigint NOT NULL,
  late bigint NOT NULL,
  paced_at bigint NOT NULL,
  late_at bigint NOT NULL,
  next_at bigint NOT NULL,
  paused_until bigint NOT NULL
) WITH (fillfactor = 50);

-- The time by which requests are spread, in microseconds since 1970: that of the database, which all hosts share.
CREATE FUNCTION clock_us() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint
$$;

-- Reserves slots in which requests may leave, evenly spaced and each given once: the row stays locked until the commit, so
-- that calls follow one another. At most given_wanted, and no more than fill a fifth of a second; none where the next slot is
-- further away than a window and a second, and then again_in says when to ask again. The first one is no nearer than
-- given_notice, which the answer needs. Slots that nobody uses are lost.
--
-- given_requests, given_span and given_late: the limit that this process was given. The slowest one holds, and the latest
-- arrival, that any process has asked for in the last two windows and ten seconds. A limit that is slower than the last one begins after one of its windows,
-- in which what left at the faster pace is forgotten.
--
-- given_pause: for so long nobody gets a slot, because the service refused a request for its pace; 0 for no pause.
--
-- What was given is not waited for on disk. So where the server was started anew, or is a standby that was promoted, slots may
-- be in use that it does not know: the first one then comes when they are all forgotten.
CREATE FUNCTION take_slots(
  given_key text, given_requests bigint, given_span bigint, given_late bigint, given_wanted integer, given_notice bigint,
  given_pause bigint
) RETURNS TABLE (
  slots integer, asked_at bigint, first_in bigint, every bigint, span bigint, late bigint, paused_for bigint, again_in bigint
)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  run_of_slots CONSTANT bigint := 200000;
  second CONSTANT bigint := 1000000;
  started CONSTANT timestamptz := pg_postmaster_start_time();
  was payrun.rate_limit;
  it payrun.rate_limit;
  is_in_use boolean;
  is_same boolean;
  is_slower boolean;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  SELECT * INTO was FROM payrun.rate_limit WHERE key = given_key FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO payrun.rate_limit
      VALUES (given_key, started, given_requests, given_span, given_late, payrun.clock_us(), payrun.clock_us(), 0, 0)
      ON CONFLICT (key) DO NOTHING;
    SELECT * INTO STRICT was FROM payrun.rate_limit WHERE key = given_key FOR UPDATE;
  END IF;
  asked_at := payrun.clock_us();
  it := was;
  IF it.server <> started THEN
    it.server := started;
    it.next_at := greatest(it.next_at, asked_at) + 2 * greatest(it.span, given_span) + 2 * second;
  END IF;
  is_in_use := asked_at <= it.paced_at + 2 * it.span + 10 * second;
  is_same := given_requests = it.requests AND given_span = it.span;
  is_slower := NOT is_same AND given_requests > 0
    AND (it.requests = 0 OR (given_span + given_late) * it.requests > (it.span + it.late) * given_requests);
  IF is_in_use AND is_slower THEN
    it.next_at := greatest(it.next_at, asked_at) + given_span + second;
  END IF;
  IF given_late >= it.late OR asked_at > it.late_at + 2 * it.span + 10 * second THEN
    it.late := given_late;
    it.late_at := asked_at;
  END IF;
  IF is_same OR is_slower OR NOT is_in_use THEN
    it.requests := given_requests;
    it.span := given_span;
    it.paced_at := asked_at;
  END IF;
  it.paused_until := greatest(it.paused_until, asked_at + given_pause);
  first_in := greatest(it.next_at, it.paused_until, asked_at + given_notice) - asked_at;
  every := CASE WHEN it.requests = 0 THEN 0 ELSE ceil((it.span + it.late)::numeric / it.requests) END;
  span := it.span;
  late := it.late;
  slots := 0;
  again_in := greatest(0, first_in - it.span - second);
  IF given_wanted > 0 AND again_in = 0 THEN
    slots := CASE WHEN every = 0 THEN given_wanted ELSE least(given_wanted, greatest(1, run_of_slots / every)) END;
    it.next_at := asked_at + first_in + slots * every;
  END IF;
  paused_for := greatest(0, it.paused_until - asked_at);
  -- A look that finds nothing new writes nothing.
  IF slots > 0 OR given_pause > 0 OR it.server <> was.server OR it.requests <> was.requests OR it.late <> was.late
    OR it.span <> was.span OR it.paced_at > was.paced_at + second OR it.late_at > was.late_at + second THEN
    UPDATE payrun.rate_limit AS kept
      SET server = it.server, requests = it.requests, span = it.span, late = it.late, paced_at = it.paced_at,
        late_at = it.late_at,        next_at = it.next_at, paused_until = it.paused_until
      WHERE kept.key = given_key;
  END IF;
  RETURN NEXT;
END
$$;
`;
