/** Version 3: what happened to transactions, and telling others of it. */
export const sql = `
-- Each change of a transaction's status, its creation too: written in the transaction of the change. code makes the id
-- that receivers see one that nothing else ever has. body is the text that is sent, the same at each try; null where
-- nobody was to be told.
CREATE TABLE event (
  event integer PRIMARY KEY,
  transfer integer NOT NULL REFERENCES transfer,
  type text NOT NULL CHECK (type IN ('transaction.created', 'transaction.updated')),
  status text NOT NULL,
  at integer NOT NULL,
  code text NOT NULL,
  body text
) STRICT;

CREATE INDEX event_of_transfer ON event (transfer);

CREATE TRIGGER event_is_never_changed BEFORE UPDATE OF transfer, type, status, at, code ON event
BEGIN
  SELECT raise(ABORT, 'an event is never changed');
END;

CREATE TRIGGER event_body_stays BEFORE UPDATE OF body ON event WHEN OLD.body IS NOT NULL
BEGIN
  SELECT raise(ABORT, 'what an event says is never changed');
END;

-- What happened before there were events.
INSERT INTO event (transfer, type, status, at, code)
  SELECT transfer, 'transaction.created', CASE kind WHEN 'deposit' THEN status ELSE 'PENDING' END, created_at,
  lower(hex(randomblob(5))) FROM transfer;
INSERT INTO event (transfer, type, status, at, code)
  SELECT transfer, 'transaction.updated', status, updated_at, lower(hex(randomblob(5))) FROM transfer
  WHERE status <> 'PENDING' AND kind <> 'deposit';

-- secret: the whsec_ text, null where the endpoint has none. A removed endpoint stays, because deliveries name it.
CREATE TABLE webhook_endpoint (
  endpoint integer PRIMARY KEY,
  id text NOT NULL UNIQUE,
  url text NOT NULL,
  secret text,
  state text NOT NULL CHECK (state = 'on' OR state = 'off' OR state = 'removed'),
  state_reason text NOT NULL,
  created_at integer NOT NULL
) STRICT;

CREATE UNIQUE INDEX webhook_endpoint_of_url ON webhook_endpoint (url) WHERE state <> 'removed';

-- While an endpoint is on, each event has a delivery to it: those after after_event up to until_event (null: still on).
CREATE TABLE webhook_period (
  endpoint integer NOT NULL REFERENCES webhook_endpoint,
  after_event integer NOT NULL,
  until_event integer,
  PRIMARY KEY (endpoint, after_event)
) STRICT, WITHOUT ROWID;

-- One event for one endpoint. round counts replays up; attempts are those of this round. due_at is by the service's clock.
CREATE TABLE delivery (
  event integer NOT NULL REFERENCES event,
  endpoint integer NOT NULL REFERENCES webhook_endpoint,
  state text NOT NULL CHECK (state = 'pending' OR state = 'delivered' OR state = 'failed' OR state = 'cancelled'),
  round integer NOT NULL,
  attempts integer NOT NULL,
  due_at integer,
  tried_at integer,
  http_status integer,
  problem text,
  PRIMARY KEY (event, endpoint),
  CHECK ((due_at IS NOT NULL) = (state = 'pending'))
) STRICT, WITHOUT ROWID;

CREATE INDEX delivery_due ON delivery (endpoint, due_at, event) WHERE due_at IS NOT NULL;
CREATE INDEX delivery_failed ON delivery (event, endpoint) WHERE state = 'failed';
`;
