-- Orders and what belongs to them.

CREATE SCHEMA IF NOT EXISTS shop;

-- The states of an order.
CREATE TYPE shop.order_state AS ENUM ('open', 'paid', 'it''s gone');
CREATE TYPE shop.money AS (amount numeric(12, 2), currency char(3));
CREATE DOMAIN email AS text CHECK (VALUE ~ '@');

/* Everybody who ever ordered. */
CREATE TABLE IF NOT EXISTS public.customers (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Where bills go.
  email email NOT NULL UNIQUE,
  "display name" text DEFAULT 'n/a; none',
  CONSTRAINT named CHECK (length("display name") > 0)
);

CREATE UNLOGGED TABLE shop."Orders" (
  id uuid,
  customer_id bigint NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
  state shop.order_state NOT NULL DEFAULT 'open',
  PRIMARY KEY (id)
) PARTITION BY RANGE (id);
CREATE TABLE shop.orders_old PARTITION OF shop."Orders" FOR VALUES FROM ('0') TO ('1');

CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS orders_by_customer ON shop."Orders" USING btree (customer_id);
CREATE INDEX ON customers (email);

CREATE OR REPLACE VIEW shop.open_orders AS
  SELECT o.* FROM shop."Orders" o JOIN customers c ON c.id = o.customer_id WHERE o.state = 'open';
CREATE MATERIALIZED VIEW totals AS SELECT count(*) FROM shop.open_orders;

-- Closes an order. It is final.
CREATE OR REPLACE FUNCTION shop.close_order(p_id uuid, OUT done boolean)
RETURNS boolean LANGUAGE plpgsql AS $body$
BEGIN
  UPDATE shop."Orders" SET state = 'paid' WHERE id = p_id; -- it's fine
  PERFORM shop.audit('close');
  CREATE TEMPORARY TABLE never_seen (id int);
END;
$body$;
create procedure clean_up() language sql as $$ delete from customers $$;

CREATE CONSTRAINT TRIGGER orders_audit AFTER INSERT OR UPDATE OF state ON shop."Orders"
  FOR EACH ROW EXECUTE FUNCTION shop.audit();
CREATE POLICY own_orders ON shop."Orders" USING (true);
CREATE SEQUENCE order_numbers;
GRANT CREATE ON SCHEMA shop TO clerk;
ALTER TABLE customers ADD COLUMN phone text;

COPY customers (id, email) FROM stdin;
1	CREATE TABLE no (x int); it's data
\.

CREATE TABLE {{ index .Options "Namespace" }}.sessions (id uuid);
CREATE TABLE "{{ index .Options "Namespace" }}".tokens (id uuid REFERENCES "{{ index .Options "Namespace" }}".sessions (id));

DO $$ BEGIN
  CREATE TYPE mood AS ENUM ('sad', 'ok');
EXCEPTION WHEN duplicate_object THEN NULL;
END $$;
do language plpgsql $do$
begin
  if not exists (select 1 from pg_class where relname = 'late') then
    create index if not exists late on customers (id);
  end if;
end $do$;
