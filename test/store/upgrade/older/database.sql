CREATE SCHEMA pgboss;

CREATE TYPE pgboss.job_state AS ENUM (
    'created',
    'retry',
    'active',
    'completed',
    'cancelled',
    'failed'
);

CREATE FUNCTION pgboss.create_queue(queue_name text, options jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $_$
    DECLARE
      tablename varchar := CASE WHEN options->>'partition' = 'true'
                            THEN 'j' || encode(sha224(queue_name::bytea), 'hex')
                            ELSE 'job_common'
                            END;
      queue_created_on timestamptz;
    BEGIN
      WITH q as (
        INSERT INTO pgboss.queue (
          name,
          policy,
          retry_limit,
          retry_delay,
          retry_backoff,
          retry_delay_max,
          expire_seconds,
          retention_seconds,
          deletion_seconds,
          warning_queued,
          dead_letter,
          partition,
          table_name,
          heartbeat_seconds,
          notify,
          created_on,
          updated_on
        )
        VALUES (
          queue_name,
          options->>'policy',
          COALESCE((options->>'retryLimit')::int, 2),
          COALESCE((options->>'retryDelay')::int, 0),
          COALESCE((options->>'retryBackoff')::bool, false),
          (options->>'retryDelayMax')::int,
          COALESCE((options->>'expireInSeconds')::int, 900),
          COALESCE((options->>'retentionSeconds')::int, 1209600),
          COALESCE((options->>'deleteAfterSeconds')::int, 604800),
          COALESCE((options->>'warningQueueSize')::int, 0),
          options->>'deadLetter',
          COALESCE((options->>'partition')::bool, false),
          tablename,
          (options->>'heartbeatSeconds')::int,
          COALESCE((options->>'notify')::bool, false),
          pgboss.job_now(),
          pgboss.job_now()
        )
        ON CONFLICT DO NOTHING
        RETURNING created_on
      )
      SELECT created_on into queue_created_on from q;
      IF queue_created_on IS NULL OR options->>'partition' IS DISTINCT FROM 'true' THEN
        RETURN;
      END IF;
      EXECUTE format('CREATE TABLE pgboss.%I (LIKE pgboss.job INCLUDING DEFAULTS)', tablename);
      EXECUTE pgboss.job_table_format($cmd$ALTER TABLE pgboss.job ADD PRIMARY KEY (name, id)$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$ALTER TABLE pgboss.job ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFERENCES pgboss.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$ALTER TABLE pgboss.job ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter) REFERENCES pgboss.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i11 ON pgboss.job (name, priority DESC, created_on, start_after) WHERE state < 'active' AND NOT blocked$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i4 ON pgboss.job (name, singleton_on, COALESCE(singleton_key, '')) WHERE state <> 'cancelled' AND singleton_on IS NOT NULL$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i7 ON pgboss.job (name, group_id) WHERE state = 'active' AND group_id IS NOT NULL$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i9 ON pgboss.job (name, id) WHERE blocking AND state = 'completed'$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i12 ON pgboss.job (source_root_id) WHERE source_root_id IS NOT NULL$cmd$, tablename);
      IF options->>'policy' = 'short' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i1 ON pgboss.job (name, COALESCE(singleton_key, '')) WHERE state = 'created' AND policy = 'short'$cmd$, tablename);
      ELSIF options->>'policy' = 'singleton' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i2 ON pgboss.job (name, COALESCE(singleton_key, '')) WHERE state = 'active' AND policy = 'singleton'$cmd$, tablename);
      ELSIF options->>'policy' = 'stately' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i3 ON pgboss.job (name, state, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'stately'$cmd$, tablename);
      ELSIF options->>'policy' = 'exclusive' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i6 ON pgboss.job (name, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'exclusive'$cmd$, tablename);
      ELSIF options->>'policy' = 'key_strict_fifo' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i8 ON pgboss.job (name, singleton_key) WHERE state IN ('active', 'retry', 'failed') AND policy = 'key_strict_fifo'$cmd$, tablename);
        EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i10 ON pgboss.job (name, singleton_key, state DESC, created_on, id) INCLUDE (start_after) WHERE state < 'active' AND NOT blocked AND policy = 'key_strict_fifo'$cmd$, tablename);
        EXECUTE pgboss.job_table_format($cmd$ALTER TABLE pgboss.job ADD CONSTRAINT job_key_strict_fifo_singleton_key_check CHECK (NOT (policy = 'key_strict_fifo' AND singleton_key IS NULL))$cmd$, tablename);
      END IF;
      EXECUTE format('ALTER TABLE pgboss.%I ADD CONSTRAINT cjc CHECK (name=%L)', tablename, queue_name);
      EXECUTE format('ALTER TABLE pgboss.job ATTACH PARTITION pgboss.%I FOR VALUES IN (%L)', tablename, queue_name);
    END;
    $_$;

CREATE FUNCTION pgboss.delete_queue(queue_name text) RETURNS void
    LANGUAGE plpgsql
    AS $$
    DECLARE
      v_table varchar;
      v_partition bool;
    BEGIN
      SELECT table_name, partition
      FROM pgboss.queue
      WHERE name = queue_name
      INTO v_table, v_partition;
      IF v_partition THEN
        EXECUTE format('DROP TABLE IF EXISTS pgboss.%I', v_table);
      ELSE
        EXECUTE format('DELETE FROM pgboss.%I WHERE name = %L', v_table, queue_name);
      END IF;
      DELETE FROM pgboss.queue WHERE name = queue_name;
    END;
    $$;

CREATE FUNCTION pgboss.job_now() RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    AS $$
      SELECT pg_catalog.now();
    $$;

CREATE FUNCTION pgboss.job_table_format(command text, table_name text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $_$
      SELECT format(
        regexp_replace(
          regexp_replace(command, '\.job\y', '.%1$I', 'g'),
          '\yjob_i(\d+)', '%1$s_i\1', 'g'
        ),
        table_name
      );
    $_$;

CREATE FUNCTION pgboss.job_table_run(command text, tbl_name text DEFAULT NULL::text, queue_name text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql
    AS $$
    DECLARE
      tbl RECORD;
    BEGIN
      IF queue_name IS NOT NULL THEN
        SELECT table_name INTO tbl_name FROM pgboss.queue WHERE name = queue_name;
      END IF;
      IF tbl_name IS NOT NULL THEN
        EXECUTE pgboss.job_table_format(command, tbl_name);
        RETURN;
      END IF;
      EXECUTE pgboss.job_table_format(command, 'job_common');
      FOR tbl IN SELECT table_name FROM pgboss.queue WHERE partition = true
      LOOP
        EXECUTE pgboss.job_table_format(command, tbl.table_name);
      END LOOP;
    END;
    $$;

CREATE FUNCTION pgboss.job_table_run_async(command_name text, version integer, command text, tbl_name text DEFAULT NULL::text, queue_name text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql
    AS $$
    BEGIN
      IF queue_name IS NOT NULL THEN
        SELECT table_name INTO tbl_name FROM pgboss.queue WHERE name = queue_name;
      END IF;
      IF tbl_name IS NOT NULL THEN
        INSERT INTO pgboss.bam (name, version, status, queue, table_name, command)
        VALUES (
          command_name,
          version,
          'pending',
          queue_name,
          tbl_name,
          pgboss.job_table_format(command, tbl_name)
        );
        RETURN;
      END IF;
      INSERT INTO pgboss.bam (name, version, status, queue, table_name, command)
      SELECT
        command_name,
        version,
        'pending',
        NULL,
        'job_common',
        pgboss.job_table_format(command, 'job_common')
      UNION ALL
      SELECT
        command_name,
        version,
        'pending',
        queue.name,
        queue.table_name,
        pgboss.job_table_format(command, queue.table_name)
      FROM pgboss.queue
      WHERE partition = true;
    END;
    $$;

CREATE TABLE pgboss.bam (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    version integer NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    queue text,
    table_name text NOT NULL,
    command text NOT NULL,
    error text,
    created_on timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    started_on timestamp with time zone,
    completed_on timestamp with time zone
);

CREATE TABLE pgboss.job (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    data jsonb,
    state pgboss.job_state DEFAULT 'created'::pgboss.job_state NOT NULL,
    retry_limit integer DEFAULT 2 NOT NULL,
    retry_count integer DEFAULT 0 NOT NULL,
    retry_delay integer DEFAULT 0 NOT NULL,
    retry_backoff boolean DEFAULT false NOT NULL,
    retry_delay_max integer,
    expire_seconds integer DEFAULT 900 NOT NULL,
    deletion_seconds integer DEFAULT 604800 NOT NULL,
    singleton_key text,
    singleton_on timestamp without time zone,
    group_id text,
    group_tier text,
    start_after timestamp with time zone DEFAULT now() NOT NULL,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    started_on timestamp with time zone,
    completed_on timestamp with time zone,
    keep_until timestamp with time zone DEFAULT (now() + '336:00:00'::interval) NOT NULL,
    output jsonb,
    dead_letter text,
    policy text,
    heartbeat_on timestamp with time zone,
    heartbeat_seconds integer,
    blocked boolean DEFAULT false NOT NULL,
    blocking boolean DEFAULT false NOT NULL,
    pending_dependencies integer DEFAULT 0 NOT NULL,
    source_name text,
    source_id uuid,
    source_created_on timestamp with time zone,
    source_retry_count integer,
    source_output jsonb,
    source_root_id uuid
)
PARTITION BY LIST (name);

CREATE TABLE pgboss.job_common (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    data jsonb,
    state pgboss.job_state DEFAULT 'created'::pgboss.job_state NOT NULL,
    retry_limit integer DEFAULT 2 NOT NULL,
    retry_count integer DEFAULT 0 NOT NULL,
    retry_delay integer DEFAULT 0 NOT NULL,
    retry_backoff boolean DEFAULT false NOT NULL,
    retry_delay_max integer,
    expire_seconds integer DEFAULT 900 NOT NULL,
    deletion_seconds integer DEFAULT 604800 NOT NULL,
    singleton_key text,
    singleton_on timestamp without time zone,
    group_id text,
    group_tier text,
    start_after timestamp with time zone DEFAULT now() NOT NULL,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    started_on timestamp with time zone,
    completed_on timestamp with time zone,
    keep_until timestamp with time zone DEFAULT (now() + '336:00:00'::interval) NOT NULL,
    output jsonb,
    dead_letter text,
    policy text,
    heartbeat_on timestamp with time zone,
    heartbeat_seconds integer,
    blocked boolean DEFAULT false NOT NULL,
    blocking boolean DEFAULT false NOT NULL,
    pending_dependencies integer DEFAULT 0 NOT NULL,
    source_name text,
    source_id uuid,
    source_created_on timestamp with time zone,
    source_retry_count integer,
    source_output jsonb,
    source_root_id uuid,
    CONSTRAINT job_key_strict_fifo_singleton_key_check CHECK ((NOT ((policy = 'key_strict_fifo'::text) AND (singleton_key IS NULL))))
);

CREATE TABLE pgboss.job_dependency (
    child_name text NOT NULL,
    child_id uuid NOT NULL,
    parent_name text NOT NULL,
    parent_id uuid NOT NULL
);

CREATE TABLE pgboss.queue (
    name text NOT NULL,
    policy text NOT NULL,
    retry_limit integer NOT NULL,
    retry_delay integer NOT NULL,
    retry_backoff boolean NOT NULL,
    retry_delay_max integer,
    expire_seconds integer NOT NULL,
    retention_seconds integer NOT NULL,
    deletion_seconds integer NOT NULL,
    dead_letter text,
    partition boolean NOT NULL,
    table_name text NOT NULL,
    deferred_count integer DEFAULT 0 NOT NULL,
    queued_count integer DEFAULT 0 NOT NULL,
    ready_count integer DEFAULT 0 NOT NULL,
    warning_queued integer DEFAULT 0 NOT NULL,
    active_count integer DEFAULT 0 NOT NULL,
    failed_count integer DEFAULT 0 NOT NULL,
    total_count integer DEFAULT 0 NOT NULL,
    created_delta integer DEFAULT 0 NOT NULL,
    completed_delta integer DEFAULT 0 NOT NULL,
    failed_delta integer DEFAULT 0 NOT NULL,
    delta_on timestamp with time zone,
    delta_seconds integer,
    ready_history integer[] DEFAULT '{}'::integer[] NOT NULL,
    heartbeat_seconds integer,
    notify boolean DEFAULT false NOT NULL,
    singletons_active text[],
    monitor_claim_on timestamp with time zone,
    monitor_on timestamp with time zone,
    maintain_on timestamp with time zone,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    updated_on timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT queue_check CHECK ((dead_letter IS DISTINCT FROM name))
);

CREATE TABLE pgboss.queue_stats (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    deferred_count integer DEFAULT 0 NOT NULL,
    queued_count integer DEFAULT 0 NOT NULL,
    ready_count integer DEFAULT 0 NOT NULL,
    active_count integer DEFAULT 0 NOT NULL,
    failed_count integer DEFAULT 0 NOT NULL,
    total_count integer DEFAULT 0 NOT NULL,
    created_delta integer,
    completed_delta integer,
    failed_delta integer,
    delta_seconds integer,
    delta_on timestamp with time zone,
    captured_on timestamp with time zone DEFAULT now() NOT NULL
)
PARTITION BY RANGE (captured_on);

CREATE TABLE pgboss.queue_stats_20261123 (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    deferred_count integer DEFAULT 0 NOT NULL,
    queued_count integer DEFAULT 0 NOT NULL,
    ready_count integer DEFAULT 0 NOT NULL,
    active_count integer DEFAULT 0 NOT NULL,
    failed_count integer DEFAULT 0 NOT NULL,
    total_count integer DEFAULT 0 NOT NULL,
    created_delta integer,
    completed_delta integer,
    failed_delta integer,
    delta_seconds integer,
    delta_on timestamp with time zone,
    captured_on timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE pgboss.queue_stats_20261124 (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    deferred_count integer DEFAULT 0 NOT NULL,
    queued_count integer DEFAULT 0 NOT NULL,
    ready_count integer DEFAULT 0 NOT NULL,
    active_count integer DEFAULT 0 NOT NULL,
    failed_count integer DEFAULT 0 NOT NULL,
    total_count integer DEFAULT 0 NOT NULL,
    created_delta integer,
    completed_delta integer,
    failed_delta integer,
    delta_seconds integer,
    delta_on timestamp with time zone,
    captured_on timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE pgboss.schedule (
    name text NOT NULL,
    key text DEFAULT ''::text NOT NULL,
    kind text DEFAULT 'cron'::text NOT NULL,
    cron text NOT NULL,
    timezone text DEFAULT 'UTC'::text,
    data jsonb,
    options jsonb,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    updated_on timestamp with time zone DEFAULT now() NOT NULL,
    last_job_id uuid,
    CONSTRAINT schedule_kind_check CHECK ((kind = ANY (ARRAY['cron'::text, 'rrule'::text])))
);

CREATE TABLE pgboss.subscription (
    event text NOT NULL,
    name text NOT NULL,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    updated_on timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE pgboss.version (
    version integer NOT NULL,
    cron_on timestamp with time zone,
    bam_on timestamp with time zone,
    flow_on timestamp with time zone,
    reindex_on timestamp with time zone,
    monitor_backoff_on timestamp with time zone
);

CREATE TABLE pgboss.warning (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    type text NOT NULL,
    message text NOT NULL,
    data jsonb,
    created_on timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.api_keys (
    key_id text NOT NULL,
    project_id text NOT NULL,
    sha256 bytea NOT NULL,
    name text NOT NULL,
    last4 text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone,
    last_used_at timestamp with time zone,
    revoked_at timestamp with time zone,
    CONSTRAINT api_keys_sha256_check CHECK ((length(sha256) = 32))
);

CREATE TABLE public.claims (
    project_id text NOT NULL,
    claimed_at timestamp with time zone NOT NULL
);

CREATE TABLE public.deliveries (
    delivery_id text NOT NULL,
    event text NOT NULL,
    action text,
    repository_id bigint,
    fields json NOT NULL,
    state text DEFAULT 'stored'::text NOT NULL,
    reason text,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    processed_at timestamp with time zone,
    review_id bigint,
    CONSTRAINT deliveries_state_check CHECK ((state = ANY (ARRAY['stored'::text, 'done'::text, 'ignored'::text])))
);

CREATE TABLE public.effects (
    job_id text NOT NULL,
    key text NOT NULL,
    run_id text,
    message_id text,
    epoch integer NOT NULL,
    state text NOT NULL,
    request json NOT NULL,
    response json,
    external_id text,
    intended_at timestamp with time zone DEFAULT now() NOT NULL,
    done_at timestamp with time zone,
    tries integer DEFAULT 0 NOT NULL,
    asker json
);

CREATE TABLE public.installations (
    installation_id bigint NOT NULL,
    account text NOT NULL,
    suspended_at timestamp with time zone,
    blocked_until timestamp with time zone,
    writes_until timestamp with time zone,
    compared_at timestamp with time zone
);

CREATE TABLE public.jobs (
    job_id text NOT NULL,
    project_id text NOT NULL,
    status text NOT NULL,
    base text NOT NULL,
    branch text,
    model text NOT NULL,
    draft boolean NOT NULL,
    pull_request_number integer,
    pull_request_url text,
    pull_request_title text,
    pull_request_updated_at timestamp with time zone,
    next_seq integer DEFAULT 1 NOT NULL,
    due_at timestamp with time zone,
    lease_epoch integer DEFAULT 0 NOT NULL,
    lease_owner text,
    lease_until timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    archived_at timestamp with time zone,
    stopped_at timestamp with time zone,
    archive_reason text,
    CONSTRAINT jobs_archived CHECK (((status = 'archived'::text) = (archived_at IS NOT NULL))),
    CONSTRAINT jobs_due CHECK (((status = 'active'::text) OR (due_at IS NULL))),
    CONSTRAINT jobs_status_check CHECK ((status = ANY (ARRAY['active'::text, 'completed'::text, 'failed'::text, 'archived'::text])))
);

CREATE TABLE public.kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);

CREATE TABLE public.kysely_migration_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);

CREATE TABLE public.messages (
    message_id text NOT NULL,
    job_id text NOT NULL,
    seq integer NOT NULL,
    source text NOT NULL,
    source_key text NOT NULL,
    author text NOT NULL,
    prompt text NOT NULL,
    context json,
    state text DEFAULT 'waiting'::text NOT NULL,
    reason text,
    run_id text,
    turn_index integer,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    written_at timestamp with time zone DEFAULT now() NOT NULL,
    delivery_id text,
    CONSTRAINT messages_source_check CHECK ((source = ANY (ARRAY['api'::text, 'comment'::text, 'review'::text, 'dashboard'::text]))),
    CONSTRAINT messages_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'taken'::text, 'answered'::text, 'dropped'::text])))
);

CREATE TABLE public.projects (
    project_id text NOT NULL,
    repository_id bigint NOT NULL,
    installation_id bigint NOT NULL,
    owner text NOT NULL,
    repo text NOT NULL,
    default_branch text NOT NULL,
    removed_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    settings json,
    settings_problems json DEFAULT '[]'::json NOT NULL,
    settings_read_at timestamp with time zone,
    pull_requests_etag text,
    compared_at timestamp with time zone,
    good_settings json,
    good_settings_sha text
);

CREATE TABLE public.rate_counters (
    project_id text NOT NULL,
    window_start timestamp with time zone NOT NULL,
    used integer NOT NULL
);

CREATE TABLE public.redeliveries (
    delivery_id text NOT NULL,
    tries integer NOT NULL,
    asked_at timestamp with time zone NOT NULL,
    attempt_id text,
    failed_at timestamp with time zone,
    due_at timestamp with time zone
);

CREATE TABLE public.run_files (
    run_id text NOT NULL,
    path text NOT NULL,
    content bytea
);

CREATE TABLE public.runs (
    run_id text NOT NULL,
    job_id text NOT NULL,
    number integer NOT NULL,
    phase text DEFAULT 'working'::text NOT NULL,
    base_sha text,
    outcome text,
    code text,
    sentence text,
    takeovers integer DEFAULT 0 NOT NULL,
    rebases integer DEFAULT 0 NOT NULL,
    stop_requested boolean DEFAULT false NOT NULL,
    waiting_since timestamp with time zone,
    notice text,
    active_ms bigint DEFAULT 0 NOT NULL,
    tokens_in bigint DEFAULT 0 NOT NULL,
    tokens_out bigint DEFAULT 0 NOT NULL,
    publication json,
    commit_sha text,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone,
    warnings json DEFAULT '[]'::json NOT NULL,
    merged_base_sha text,
    removed_turns integer,
    model_down_since timestamp with time zone,
    tokens_cached bigint DEFAULT 0 NOT NULL,
    CONSTRAINT runs_ended CHECK (((phase = 'ended'::text) = ((ended_at IS NOT NULL) AND (outcome IS NOT NULL) AND (code IS NOT NULL)))),
    CONSTRAINT runs_outcome_check CHECK ((outcome = ANY (ARRAY['completed'::text, 'failed'::text]))),
    CONSTRAINT runs_phase_check CHECK ((phase = ANY (ARRAY['working'::text, 'publishing'::text, 'ended'::text])))
);

CREATE TABLE public.turns (
    run_id text NOT NULL,
    turn_index integer NOT NULL,
    inputs json NOT NULL,
    answer json,
    results json,
    opened_at timestamp with time zone DEFAULT now() NOT NULL,
    original json,
    compacted_for integer
);

CREATE TABLE public.watermarks (
    name text NOT NULL,
    moment timestamp with time zone NOT NULL,
    page text
);

ALTER TABLE ONLY pgboss.job ATTACH PARTITION pgboss.job_common DEFAULT;

ALTER TABLE ONLY pgboss.queue_stats ATTACH PARTITION pgboss.queue_stats_20261123 FOR VALUES FROM ('2026-11-23 00:00:00+00') TO ('2026-11-24 00:00:00+00');

ALTER TABLE ONLY pgboss.queue_stats ATTACH PARTITION pgboss.queue_stats_20261124 FOR VALUES FROM ('2026-11-24 00:00:00+00') TO ('2026-11-25 00:00:00+00');

INSERT INTO pgboss.job_common (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) VALUES
	('fe4d5333-633c-479c-a6ae-5a293974965e', 'redeliver', 0, '{}', 'completed', 2, 0, 60, true, NULL, 900, 86400, NULL, NULL, NULL, NULL, '2026-11-23 22:11:17.267241+00', '2026-11-23 22:11:17.267241+00', '2026-11-23 22:11:18.411764+00', '2026-11-23 22:11:18.486649+00', '2026-12-07 22:11:17.267241+00', NULL, NULL, 'stately', '2026-11-23 22:11:18.411764+00', 60, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL),
	('911e7dd6-334a-4a7b-b861-c677d5ae5c1a', 'wake-up', 0, '{}', 'completed', 0, 0, 0, false, NULL, 900, 60, NULL, NULL, NULL, NULL, '2026-11-23 22:11:18.544162+00', '2026-11-23 22:11:18.544162+00', '2026-11-23 22:11:18.570308+00', '2026-11-23 22:11:18.573044+00', '2026-11-23 23:11:18.544162+00', NULL, NULL, 'standard', '2026-11-23 22:11:18.570308+00', NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL),
	('cbb3fa4e-5e49-400a-a407-c41314700730', 'reconcile', 0, '{}', 'completed', 2, 0, 60, true, NULL, 900, 86400, NULL, NULL, NULL, NULL, '2026-11-23 22:11:17.27232+00', '2026-11-23 22:11:17.27232+00', '2026-11-23 22:11:18.826512+00', '2026-11-23 22:11:18.876571+00', '2026-12-07 22:11:17.27232+00', NULL, NULL, 'stately', '2026-11-23 22:11:18.826512+00', 60, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL),
	('1e43dcb5-0dbb-4a7e-ab9e-219d96410095', 'refresh-settings', 0, '{}', 'completed', 2, 0, 60, true, NULL, 900, 86400, NULL, NULL, NULL, NULL, '2026-11-23 22:11:17.274239+00', '2026-11-23 22:11:17.274239+00', '2026-11-23 22:11:19.275768+00', '2026-11-23 22:11:19.703768+00', '2026-12-07 22:11:17.274239+00', NULL, NULL, 'stately', '2026-11-23 22:11:19.275768+00', 60, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL),
	('bf37e53a-9c3b-4f9c-9b56-dcaf5b07ca4f', 'wake-up', 0, '{}', 'completed', 0, 0, 0, false, NULL, 900, 60, NULL, NULL, NULL, NULL, '2026-11-23 22:11:20.939672+00', '2026-11-23 22:11:20.939672+00', '2026-11-23 22:11:20.963223+00', '2026-11-23 22:11:21.011838+00', '2026-11-23 23:11:20.939672+00', NULL, NULL, 'standard', '2026-11-23 22:11:20.963223+00', NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL),
	('96704623-ee88-4493-a754-f183257fee1d', 'wake-up', 0, '{}', 'completed', 0, 0, 0, false, NULL, 900, 60, NULL, NULL, NULL, NULL, '2026-11-23 22:11:21.739661+00', '2026-11-23 22:11:21.739661+00', '2026-11-23 22:11:21.748695+00', '2026-11-23 22:11:21.751003+00', '2026-11-23 23:11:21.739661+00', NULL, NULL, 'standard', '2026-11-23 22:11:21.748695+00', NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL),
	('a17c6280-e010-4074-b970-b38cc669f195', 'wake-up', 0, '{}', 'completed', 0, 0, 0, false, NULL, 900, 60, NULL, NULL, NULL, NULL, '2026-11-23 22:11:22.926628+00', '2026-11-23 22:11:22.926628+00', '2026-11-23 22:11:22.934491+00', '2026-11-23 22:11:22.942344+00', '2026-11-23 23:11:22.926628+00', NULL, NULL, 'standard', '2026-11-23 22:11:22.934491+00', NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL),
	('83fcd55d-5cb4-46b7-a717-34d315d25b97', 'wake-up', 0, '{}', 'completed', 0, 0, 0, false, NULL, 900, 60, NULL, NULL, NULL, NULL, '2026-11-23 22:11:24.261012+00', '2026-11-23 22:11:24.261012+00', '2026-11-23 22:11:24.279527+00', '2026-11-23 22:11:24.281601+00', '2026-11-23 23:11:24.261012+00', NULL, NULL, 'standard', '2026-11-23 22:11:24.279527+00', NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL),
	('3fe17934-884c-4adf-99e3-3d686f1d8192', 'wake-up', 0, '{}', 'completed', 0, 0, 0, false, NULL, 900, 60, NULL, NULL, NULL, NULL, '2026-11-23 22:11:24.584376+00', '2026-11-23 22:11:24.584376+00', '2026-11-23 22:11:24.589922+00', '2026-11-23 22:11:24.591764+00', '2026-11-23 23:11:24.584376+00', NULL, NULL, 'standard', '2026-11-23 22:11:24.589922+00', NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL),
	('a9a4d021-a245-4491-8209-7606d3de7e3d', 'wake-up', 0, '{}', 'created', 0, 0, 0, false, NULL, 900, 60, NULL, NULL, NULL, NULL, '2026-11-23 22:11:29.326112+00', '2026-11-23 22:11:29.326112+00', NULL, NULL, '2026-11-23 23:11:29.326112+00', NULL, NULL, 'standard', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL),
	('b1d13d5e-658a-4f2b-800c-8dc2cc0e1082', 'wake-up', 0, '{}', 'created', 0, 0, 0, false, NULL, 900, 60, NULL, NULL, NULL, NULL, '2026-11-23 22:11:29.355505+00', '2026-11-23 22:11:29.355505+00', NULL, NULL, '2026-11-23 23:11:29.355505+00', NULL, NULL, 'standard', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL),
	('08ce5b9a-2159-4298-b8a1-4562183798dc', 'wake-up', 0, '{}', 'created', 0, 0, 0, false, NULL, 900, 60, NULL, NULL, NULL, NULL, '2026-11-23 22:11:29.369076+00', '2026-11-23 22:11:29.369076+00', NULL, NULL, '2026-11-23 23:11:29.369076+00', NULL, NULL, 'standard', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL),
	('7d30c3f3-326f-48d1-a066-602fc72eb83f', 'delivery', 0, '{"deliveryId": "f2b031b9-8a3e-4c0f-bc84-b719ef25bad0"}', 'created', 12, 0, 2, true, 600, 60, 86400, NULL, NULL, NULL, NULL, '2026-11-23 22:11:29.3948+00', '2026-11-23 22:11:29.3948+00', NULL, NULL, '2026-12-07 22:11:29.3948+00', NULL, NULL, 'standard', NULL, 10, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);

INSERT INTO pgboss.queue (name, policy, retry_limit, retry_delay, retry_backoff, retry_delay_max, expire_seconds, retention_seconds, deletion_seconds, dead_letter, partition, table_name, deferred_count, queued_count, ready_count, warning_queued, active_count, failed_count, total_count, created_delta, completed_delta, failed_delta, delta_on, delta_seconds, ready_history, heartbeat_seconds, notify, singletons_active, monitor_claim_on, monitor_on, maintain_on, created_on, updated_on) VALUES
	('wake-up', 'standard', 0, 0, false, NULL, 900, 3600, 60, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, NULL, NULL, '{0,0}', NULL, true, NULL, '2026-11-23 22:11:26.285048+00', '2026-11-23 22:11:26.286008+00', '2026-11-23 22:11:21.282317+00', '2026-11-23 22:11:16.294323+00', '2026-11-23 22:11:28.653179+00'),
	('delivery', 'standard', 12, 2, true, 600, 60, 1209600, 86400, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, '{0,0}', 10, true, NULL, '2026-11-23 22:11:26.285048+00', '2026-11-23 22:11:26.286008+00', '2026-11-23 22:11:21.282317+00', '2026-11-23 22:11:16.307794+00', '2026-11-23 22:11:28.65974+00'),
	('answer', 'standard', 12, 2, true, 600, 60, 1209600, 86400, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, '{0,0}', 10, true, NULL, '2026-11-23 22:11:26.285048+00', '2026-11-23 22:11:26.286008+00', '2026-11-23 22:11:21.282317+00', '2026-11-23 22:11:16.310501+00', '2026-11-23 22:11:28.665987+00'),
	('redeliver', 'stately', 2, 60, true, NULL, 900, 1209600, 86400, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, NULL, NULL, '{0,0}', 60, false, NULL, '2026-11-23 22:11:26.285048+00', '2026-11-23 22:11:26.286008+00', '2026-11-23 22:11:21.282317+00', '2026-11-23 22:11:16.326907+00', '2026-11-23 22:11:28.667336+00'),
	('reconcile', 'stately', 2, 60, true, NULL, 900, 1209600, 86400, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, NULL, NULL, '{0,0}', 60, false, NULL, '2026-11-23 22:11:26.285048+00', '2026-11-23 22:11:26.286008+00', '2026-11-23 22:11:21.282317+00', '2026-11-23 22:11:16.32954+00', '2026-11-23 22:11:28.673884+00'),
	('refresh-settings', 'stately', 2, 60, true, NULL, 900, 1209600, 86400, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, NULL, NULL, '{0,0}', 60, false, NULL, '2026-11-23 22:11:26.285048+00', '2026-11-23 22:11:26.286008+00', '2026-11-23 22:11:21.282317+00', '2026-11-23 22:11:16.33207+00', '2026-11-23 22:11:28.676653+00'),
	('sweep', 'stately', 2, 60, true, NULL, 900, 1209600, 86400, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, '{0,0}', 60, false, NULL, '2026-11-23 22:11:26.285048+00', '2026-11-23 22:11:26.286008+00', '2026-11-23 22:11:21.282317+00', '2026-11-23 22:11:16.336559+00', '2026-11-23 22:11:28.677647+00'),
	('__pgboss__send-it', 'standard', 2, 0, false, NULL, 900, 1209600, 86400, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, '{0,0}', NULL, false, NULL, '2026-11-23 22:11:26.285048+00', '2026-11-23 22:11:26.286008+00', '2026-11-23 22:11:21.282317+00', '2026-11-23 22:11:16.274507+00', '2026-11-23 22:11:28.684227+00');

INSERT INTO pgboss.schedule (name, key, kind, cron, timezone, data, options, created_on, updated_on, last_job_id) VALUES
	('redeliver', '', 'cron', '*/10 * * * *', 'UTC', NULL, '{}', '2026-11-23 22:11:16.476346+00', '2026-11-23 22:11:16.476346+00', NULL),
	('reconcile', '', 'cron', '*/10 * * * *', 'UTC', NULL, '{}', '2026-11-23 22:11:17.256806+00', '2026-11-23 22:11:17.256806+00', NULL),
	('refresh-settings', '', 'cron', '43 4 * * *', 'UTC', NULL, '{}', '2026-11-23 22:11:17.263792+00', '2026-11-23 22:11:17.263792+00', NULL),
	('sweep', '', 'cron', '17 * * * *', 'UTC', NULL, '{}', '2026-11-23 22:11:17.265872+00', '2026-11-23 22:11:17.265872+00', NULL);

INSERT INTO pgboss.version (version, cron_on, bam_on, flow_on, reindex_on, monitor_backoff_on) VALUES
	(43, '2026-11-23 22:11:16.294742+00', '2026-11-23 22:11:16.279178+00', '2026-11-23 22:11:26.399676+00', '2026-11-23 22:11:21.289861+00', NULL);

INSERT INTO public.api_keys (key_id, project_id, sha256, name, last4, created_at, expires_at, last_used_at, revoked_at) VALUES
	('key_01m857daa2ecramp0xnkperrty', 'prj_01m857daaaecramp12zdjj678a', '\x0d9076725b283c511a977564e2104ba516df8a3c06b90a7475b167f4b4eebb97', 'ci', '9kXu', '2026-11-23 22:11:18.47095+00', NULL, '2026-11-23 22:11:18.541505+00', NULL);

INSERT INTO public.claims (project_id, claimed_at) VALUES
	('prj_01m857daaaecramp12zdjj678a', '2026-11-23 22:11:24.599966+00');

INSERT INTO public.deliveries (delivery_id, event, action, repository_id, fields, state, reason, received_at, processed_at, review_id) VALUES
	('f2b031b9-8a3e-4c0f-bc84-b719ef25bad0', 'issue_comment', 'created', {{repositoryId}}, '{"action":"created","installation":{"id":{{installationId}}},"repository":{"id":{{repositoryId}},"name":"docs","owner":{"login":"acme"},"default_branch":"main"},"issue":{"number":3,"pull_request":{},"user":{"login":"pagewright-test[bot]","id":1014368,"type":"Bot"}},"comment":{"id":{{commentId}},"body":"Write page commented","user":{"login":"rita","id":{{ritaId}},"type":"User"},"created_at":"{{commentedAt}}","performed_via_github_app":null},"sender":{"login":"rita","id":{{ritaId}},"type":"User"}}', 'stored', NULL, '2026-11-23 22:11:29.3948+00', NULL, NULL);

INSERT INTO public.effects (job_id, key, run_id, message_id, epoch, state, request, response, external_id, intended_at, done_at, tries, asker) VALUES
	('job_01m857dacjf6c8wwhrskrv08s9', 'run_01m857daekf6c8wwj9wh9dydz1:push', 'run_01m857daekf6c8wwj9wh9dydz1', NULL, 1, 'done', '{"branch":"pagewright/write-page-done-skrv08s9","sha":"e9753e16b2ea8ee0e9a8834b87a2168ab4e72405","expected":null}', '{"externalId":"e9753e16b2ea8ee0e9a8834b87a2168ab4e72405"}', 'e9753e16b2ea8ee0e9a8834b87a2168ab4e72405', '2026-11-23 22:11:20.282413+00', '2026-11-23 22:11:20.487244+00', 1, NULL),
	('job_01m857dacjf6c8wwhrskrv08s9', 'run_01m857daekf6c8wwj9wh9dydz1:pull-request', 'run_01m857daekf6c8wwj9wh9dydz1', NULL, 1, 'done', '{"branch":"pagewright/write-page-done-skrv08s9","base":"main","title":"Write page done","draft":false,"number":null}', '{"externalId":"1","number":1,"url":"{{webUrl}}/acme/docs/pull/1","title":"Write page done","isNew":true}', '1', '2026-11-23 22:11:20.50158+00', '2026-11-23 22:11:20.655767+00', 1, NULL),
	('job_01m857ddgef6c8wwka5tvgy8my', 'run_01m857ddh6f6c8wwksewq7h8zw:push', 'run_01m857ddh6f6c8wwksewq7h8zw', NULL, 1, 'done', '{"branch":"pagewright/write-page-archived-5tvgy8my","sha":"8c4ed007cac74b4018267172f468624322738c01","expected":null}', '{"externalId":"8c4ed007cac74b4018267172f468624322738c01"}', '8c4ed007cac74b4018267172f468624322738c01', '2026-11-23 22:11:22.511608+00', '2026-11-23 22:11:22.748601+00', 1, NULL),
	('job_01m857ddgef6c8wwka5tvgy8my', 'run_01m857ddh6f6c8wwksewq7h8zw:pull-request', 'run_01m857ddh6f6c8wwksewq7h8zw', NULL, 1, 'done', '{"branch":"pagewright/write-page-archived-5tvgy8my","base":"main","title":"Write page archived","draft":false,"number":null}', '{"externalId":"2","number":2,"url":"{{webUrl}}/acme/docs/pull/2","title":"Write page archived","isNew":true}', '2', '2026-11-23 22:11:22.753047+00', '2026-11-23 22:11:22.795838+00', 1, NULL),
	('job_01m857denff6c8wwm7wny30723', 'run_01m857denzf6c8wwmq6ws1e44f:push', 'run_01m857denzf6c8wwmq6ws1e44f', NULL, 1, 'done', '{"branch":"pagewright/write-page-follow-wny30723","sha":"82cd3741fefdd24eb90a9a02b85b5307ac0980b0","expected":null}', '{"externalId":"82cd3741fefdd24eb90a9a02b85b5307ac0980b0"}', '82cd3741fefdd24eb90a9a02b85b5307ac0980b0', '2026-11-23 22:11:23.599416+00', '2026-11-23 22:11:24.025363+00', 1, NULL),
	('job_01m857denff6c8wwm7wny30723', 'run_01m857denzf6c8wwmq6ws1e44f:pull-request', 'run_01m857denzf6c8wwmq6ws1e44f', NULL, 1, 'done', '{"branch":"pagewright/write-page-follow-wny30723","base":"main","title":"Write page follow","draft":false,"number":null}', '{"externalId":"3","number":3,"url":"{{webUrl}}/acme/docs/pull/3","title":"Write page follow","isNew":true}', '3', '2026-11-23 22:11:24.033512+00', '2026-11-23 22:11:24.127577+00', 1, NULL),
	('job_01m857dg99f6c8wwng0nvehyda', 'run_01m857dgahf6c8wwp2p4qvy9wm:push', 'run_01m857dgahf6c8wwp2p4qvy9wm', NULL, 1, 'intended', '{"branch":"pagewright/write-page-frozen-0nvehyda","sha":"5596e06ec94aa7fc641ea5ec4a94e6fcb09ccfba","expected":null}', NULL, NULL, '2026-11-23 22:11:26.509325+00', NULL, 1, NULL);

INSERT INTO public.installations (installation_id, account, suspended_at, blocked_until, writes_until, compared_at) VALUES
	({{installationId}}, 'acme', NULL, NULL, '2026-11-23 22:11:25.035659+00', '2026-11-23 22:11:18.845513+00');

INSERT INTO public.jobs (job_id, project_id, status, base, branch, model, draft, pull_request_number, pull_request_url, pull_request_title, pull_request_updated_at, next_seq, due_at, lease_epoch, lease_owner, lease_until, created_at, archived_at, stopped_at, archive_reason) VALUES
	('job_01m857dacjf6c8wwhrskrv08s9', 'prj_01m857daaaecramp12zdjj678a', 'completed', 'main', 'pagewright/write-page-done-skrv08s9', 'gpt-test', false, 1, '{{webUrl}}/acme/docs/pull/1', 'Write page done', NULL, 2, NULL, 1, NULL, NULL, '2026-11-23 22:11:18.544162+00', NULL, NULL, NULL),
	('job_01m857dcqhf6c8wwjkdymq6xzg', 'prj_01m857daaaecramp12zdjj678a', 'failed', 'main', NULL, 'gpt-test', false, NULL, NULL, NULL, NULL, 2, NULL, 1, NULL, NULL, '2026-11-23 22:11:20.939672+00', NULL, NULL, NULL),
	('job_01m857ddgef6c8wwka5tvgy8my', 'prj_01m857daaaecramp12zdjj678a', 'archived', 'main', 'pagewright/write-page-archived-5tvgy8my', 'gpt-test', false, 2, '{{webUrl}}/acme/docs/pull/2', 'Write page archived', NULL, 2, NULL, 2, NULL, NULL, '2026-11-23 22:11:21.739661+00', '2026-11-23 22:11:22.902759+00', NULL, 'requested'),
	('job_01m857denff6c8wwm7wny30723', 'prj_01m857daaaecramp12zdjj678a', 'active', 'main', 'pagewright/write-page-follow-wny30723', 'gpt-test', false, 3, '{{webUrl}}/acme/docs/pull/3', 'Write page follow', NULL, 3, '2026-11-23 22:11:29.326112+00', 1, NULL, NULL, '2026-11-23 22:11:22.926628+00', NULL, NULL, NULL),
	('job_01m857dg99f6c8wwng0nvehyda', 'prj_01m857daaaecramp12zdjj678a', 'active', 'main', NULL, 'gpt-test', false, NULL, NULL, NULL, NULL, 2, '2026-11-23 22:11:24.584376+00', 1, 'vm-1337-be61acb5-15bb-4db8-9ee3-c27eaeb9c4dd', '2026-11-23 22:11:38.613694+00', '2026-11-23 22:11:24.584376+00', NULL, NULL, NULL),
	('job_01m857dfz6f6c8wwmrskbbwvm9', 'prj_01m857daaaecramp12zdjj678a', 'active', 'main', NULL, 'gpt-test', false, NULL, NULL, NULL, NULL, 3, '2026-11-23 22:11:24.261012+00', 1, 'vm-1337-be61acb5-15bb-4db8-9ee3-c27eaeb9c4dd', '2026-11-23 22:11:38.288415+00', '2026-11-23 22:11:24.261012+00', NULL, NULL, NULL),
	('job_01m857dmytf239wj2knq1epzqw', 'prj_01m857daaaecramp12zdjj678a', 'active', 'main', NULL, 'gpt-test', false, NULL, NULL, NULL, NULL, 2, '2026-11-23 22:11:29.369076+00', 0, NULL, NULL, '2026-11-23 22:11:29.369076+00', NULL, NULL, NULL);

INSERT INTO public.kysely_migration (name, "timestamp") VALUES
	('0001-main-job', '2026-11-23T22:11:16.000Z'),
	('0002-life-on-github', '2026-11-23T22:11:16.018Z'),
	('0003-steady', '2026-11-23T22:11:16.032Z'),
	('0004-settings-that-hold', '2026-11-23T22:11:16.033Z'),
	('0005-compaction', '2026-11-23T22:11:16.035Z');

INSERT INTO public.kysely_migration_lock (id, is_locked) VALUES
	('migration_lock', 0);

INSERT INTO public.messages (message_id, job_id, seq, source, source_key, author, prompt, context, state, reason, run_id, turn_index, created_at, written_at, delivery_id) VALUES
	('msg_01m857dacpf6c8wwj0erga7sqn', 'job_01m857dacjf6c8wwhrskrv08s9', 1, 'api', 'msg_01m857dacpf6c8wwj0erga7sqn', 'ci', 'Write page done', NULL, 'answered', NULL, 'run_01m857daekf6c8wwj9wh9dydz1', 0, '2026-11-23 22:11:18.544162+00', '2026-11-23 22:11:18.544162+00', NULL),
	('msg_01m857dcqpf6c8wwjww5v180xy', 'job_01m857dcqhf6c8wwjkdymq6xzg', 1, 'api', 'msg_01m857dcqpf6c8wwjww5v180xy', 'ci', 'Write page refuse', NULL, 'dropped', 'model_refused', 'run_01m857dcrjf6c8wwk6vpv7qh46', 0, '2026-11-23 22:11:20.939672+00', '2026-11-23 22:11:20.939672+00', NULL),
	('msg_01m857ddgff6c8wwkkq1y34fjx', 'job_01m857ddgef6c8wwka5tvgy8my', 1, 'api', 'msg_01m857ddgff6c8wwkkq1y34fjx', 'ci', 'Write page archived', NULL, 'answered', NULL, 'run_01m857ddh6f6c8wwksewq7h8zw', 0, '2026-11-23 22:11:21.739661+00', '2026-11-23 22:11:21.739661+00', NULL),
	('msg_01m857denhf6c8wwmdm0d678jr', 'job_01m857denff6c8wwm7wny30723', 1, 'api', 'msg_01m857denhf6c8wwmdm0d678jr', 'ci', 'Write page follow', NULL, 'answered', NULL, 'run_01m857denzf6c8wwmq6ws1e44f', 0, '2026-11-23 22:11:22.926628+00', '2026-11-23 22:11:22.926628+00', NULL),
	('msg_01m857dfz7f6c8wwn64pqppj40', 'job_01m857dfz6f6c8wwmrskbbwvm9', 1, 'api', 'msg_01m857dfz7f6c8wwn64pqppj40', 'ci', 'Write page middle', NULL, 'taken', NULL, 'run_01m857dg05f6c8wwnak6npcdtz', 0, '2026-11-23 22:11:24.261012+00', '2026-11-23 22:11:24.261012+00', NULL),
	('msg_01m857dg9af6c8wwnxmhvhzdfh', 'job_01m857dg99f6c8wwng0nvehyda', 1, 'api', 'msg_01m857dg9af6c8wwnxmhvhzdfh', 'ci', 'Write page frozen', NULL, 'taken', NULL, 'run_01m857dgahf6c8wwp2p4qvy9wm', 0, '2026-11-23 22:11:24.584376+00', '2026-11-23 22:11:24.584376+00', NULL),
	('msg_01m857dmxpf239wj20qk506h97', 'job_01m857denff6c8wwm7wny30723', 2, 'api', 'msg_01m857dmxpf239wj20qk506h97', 'ci', 'Write page followed', NULL, 'waiting', NULL, NULL, NULL, '2026-11-23 22:11:29.326112+00', '2026-11-23 22:11:29.326112+00', NULL),
	('msg_01m857dmyef239wj28raza9gpg', 'job_01m857dfz6f6c8wwmrskbbwvm9', 2, 'api', 'msg_01m857dmyef239wj28raza9gpg', 'ci', 'Write page beside', NULL, 'waiting', NULL, NULL, NULL, '2026-11-23 22:11:29.355505+00', '2026-11-23 22:11:29.355505+00', NULL),
	('msg_01m857dmyyf239wj2tb8pgmzef', 'job_01m857dmytf239wj2knq1epzqw', 1, 'api', 'msg_01m857dmyyf239wj2tb8pgmzef', 'ci', 'Write page waiting', NULL, 'waiting', NULL, NULL, NULL, '2026-11-23 22:11:29.369076+00', '2026-11-23 22:11:29.369076+00', NULL);

INSERT INTO public.projects (project_id, repository_id, installation_id, owner, repo, default_branch, removed_at, created_at, settings, settings_problems, settings_read_at, pull_requests_etag, compared_at, good_settings, good_settings_sha) VALUES
	('prj_01m857daaaecramp12zdjj678a', {{repositoryId}}, {{installationId}}, 'acme', 'docs', 'main', NULL, '2026-11-23 22:11:18.47095+00', '{"base":null,"model":null,"draft":false,"comments":"all","paths":null,"also":[],"instructions":null,"quote":null,"labels":[],"reviewers":[]}', '[]', '2026-11-23 22:11:24.691+00', NULL, NULL, '{"base":null,"model":null,"draft":false,"comments":"all","paths":null,"also":[],"instructions":null,"quote":null,"labels":[],"reviewers":[]}', 'b4931bb813629a01e9b7ece090bb289335adcac4');

INSERT INTO public.rate_counters (project_id, window_start, used) VALUES
	('prj_01m857daaaecramp12zdjj678a', '2026-11-23 22:00:00+00', 9);

INSERT INTO public.run_files (run_id, path, content) VALUES
	('run_01m857dg05f6c8wwnak6npcdtz', 'middle.md', '\x23206d6964646c650a0a57726974652070616765206d6964646c650a'),
	('run_01m857dgahf6c8wwp2p4qvy9wm', 'frozen.md', '\x232066726f7a656e0a0a577269746520706167652066726f7a656e0a');

INSERT INTO public.runs (run_id, job_id, number, phase, base_sha, outcome, code, sentence, takeovers, rebases, stop_requested, waiting_since, notice, active_ms, tokens_in, tokens_out, publication, commit_sha, started_at, ended_at, warnings, merged_base_sha, removed_turns, model_down_since, tokens_cached) VALUES
	('run_01m857dcrjf6c8wwk6vpv7qh46', 'job_01m857dcqhf6c8wwjkdymq6xzg', 1, 'ended', 'b4931bb813629a01e9b7ece090bb289335adcac4', 'failed', 'model_refused', 'The model gpt-test refused the request. Rephrase the instruction.', 0, 0, false, NULL, NULL, 72, 0, 0, '{"end":{"outcome":"failed","code":"model_refused","sentence":"The model gpt-test refused the request. Rephrase the instruction."},"summary":"The model gpt-test refused the request. Rephrase the instruction.","replies":[],"allowedHosts":[],"limit":null,"change":null}', NULL, '2026-11-23 22:11:20.972649+00', '2026-11-23 22:11:21.618751+00', '[]', NULL, NULL, NULL, 0),
	('run_01m857denzf6c8wwmq6ws1e44f', 'job_01m857denff6c8wwm7wny30723', 1, 'ended', 'b4931bb813629a01e9b7ece090bb289335adcac4', 'completed', 'published', '1 changed file was published in the pull request.', 0, 0, false, NULL, NULL, 124, 4873, 78, '{"end":{"outcome":"completed","code":"published","sentence":"1 changed file was published in the pull request."},"summary":"Wrote: Write page follow","replies":[],"allowedHosts":[],"warnings":[],"limit":null,"checks":{"ran":true,"links":0,"pages":1,"navigation":true,"problems":[],"more":0},"change":{"branch":"pagewright/write-page-follow-wny30723","tip":null,"sha":"82cd3741fefdd24eb90a9a02b85b5307ac0980b0","message":"Write page follow\n\nWrote: Write page follow\n\nPagewright-Run: run_01m857denzf6c8wwmq6ws1e44f\n","author":{"name":"pagewright-test[bot]","email":"1014368+pagewright-test[bot]@users.noreply.127.0.0.1"},"date":"2026-11-23T22:11:23.265Z","title":"Write page follow","description":"Wrote: Write page follow","section":"<!-- pagewright:start -->\n\nWrote: Write page follow\n\n## Checks\n\nChecked: 0 links, 1 page parsed, navigation. No problems.\n\n## What was asked\n\n- **ci** (api), 2026-11-23 22:11 UTC:\n  > Write page follow\n\n<!-- pagewright:end -->","newBody":"<!-- pagewright:start -->\n\nWrote: Write page follow\n\n## Checks\n\nChecked: 0 links, 1 page parsed, navigation. No problems.\n\n## What was asked\n\n- **ci** (api), 2026-11-23 22:11 UTC:\n  > Write page follow\n\n<!-- pagewright:end -->\n\n<!-- pagewright:job job_01m857denff6c8wwm7wny30723 -->","draft":false,"becomesDraft":false}}', '82cd3741fefdd24eb90a9a02b85b5307ac0980b0', '2026-11-23 22:11:22.940591+00', '2026-11-23 22:11:24.136678+00', '[]', NULL, NULL, NULL, 2381),
	('run_01m857daekf6c8wwj9wh9dydz1', 'job_01m857dacjf6c8wwhrskrv08s9', 1, 'ended', 'b4931bb813629a01e9b7ece090bb289335adcac4', 'completed', 'published', '1 changed file was published in the pull request.', 0, 0, false, NULL, NULL, 986, 4870, 75, '{"end":{"outcome":"completed","code":"published","sentence":"1 changed file was published in the pull request."},"summary":"Wrote: Write page done","replies":[],"allowedHosts":[],"warnings":[],"limit":null,"checks":{"ran":true,"links":0,"pages":1,"navigation":true,"problems":[],"more":0},"change":{"branch":"pagewright/write-page-done-skrv08s9","tip":null,"sha":"e9753e16b2ea8ee0e9a8834b87a2168ab4e72405","message":"Write page done\n\nWrote: Write page done\n\nPagewright-Run: run_01m857daekf6c8wwj9wh9dydz1\n","author":{"name":"pagewright-test[bot]","email":"1014368+pagewright-test[bot]@users.noreply.127.0.0.1"},"date":"2026-11-23T22:11:20.058Z","title":"Write page done","description":"Wrote: Write page done","section":"<!-- pagewright:start -->\n\nWrote: Write page done\n\n## Checks\n\nChecked: 0 links, 1 page parsed, navigation. No problems.\n\n## What was asked\n\n- **ci** (api), 2026-11-23 22:11 UTC:\n  > Write page done\n\n<!-- pagewright:end -->","newBody":"<!-- pagewright:start -->\n\nWrote: Write page done\n\n## Checks\n\nChecked: 0 links, 1 page parsed, navigation. No problems.\n\n## What was asked\n\n- **ci** (api), 2026-11-23 22:11 UTC:\n  > Write page done\n\n<!-- pagewright:end -->\n\n<!-- pagewright:job job_01m857dacjf6c8wwhrskrv08s9 -->","draft":false,"becomesDraft":false}}', 'e9753e16b2ea8ee0e9a8834b87a2168ab4e72405', '2026-11-23 22:11:18.598933+00', '2026-11-23 22:11:20.666578+00', '[]', NULL, NULL, NULL, 2380),
	('run_01m857ddh6f6c8wwksewq7h8zw', 'job_01m857ddgef6c8wwka5tvgy8my', 1, 'ended', 'b4931bb813629a01e9b7ece090bb289335adcac4', 'completed', 'published', '1 changed file was published in the pull request.', 0, 0, false, NULL, NULL, 103, 4876, 80, '{"end":{"outcome":"completed","code":"published","sentence":"1 changed file was published in the pull request."},"summary":"Wrote: Write page archived","replies":[],"allowedHosts":[],"warnings":[],"limit":null,"checks":{"ran":true,"links":0,"pages":1,"navigation":true,"problems":[],"more":0},"change":{"branch":"pagewright/write-page-archived-5tvgy8my","tip":null,"sha":"8c4ed007cac74b4018267172f468624322738c01","message":"Write page archived\n\nWrote: Write page archived\n\nPagewright-Run: run_01m857ddh6f6c8wwksewq7h8zw\n","author":{"name":"pagewright-test[bot]","email":"1014368+pagewright-test[bot]@users.noreply.127.0.0.1"},"date":"2026-11-23T22:11:22.218Z","title":"Write page archived","description":"Wrote: Write page archived","section":"<!-- pagewright:start -->\n\nWrote: Write page archived\n\n## Checks\n\nChecked: 0 links, 1 page parsed, navigation. No problems.\n\n## What was asked\n\n- **ci** (api), 2026-11-23 22:11 UTC:\n  > Write page archived\n\n<!-- pagewright:end -->","newBody":"<!-- pagewright:start -->\n\nWrote: Write page archived\n\n## Checks\n\nChecked: 0 links, 1 page parsed, navigation. No problems.\n\n## What was asked\n\n- **ci** (api), 2026-11-23 22:11 UTC:\n  > Write page archived\n\n<!-- pagewright:end -->\n\n<!-- pagewright:job job_01m857ddgef6c8wwka5tvgy8my -->","draft":false,"becomesDraft":false}}', '8c4ed007cac74b4018267172f468624322738c01', '2026-11-23 22:11:21.756654+00', '2026-11-23 22:11:22.808041+00', '[]', NULL, NULL, NULL, 2381),
	('run_01m857dg05f6c8wwnak6npcdtz', 'job_01m857dfz6f6c8wwmrskbbwvm9', 1, 'working', 'b4931bb813629a01e9b7ece090bb289335adcac4', NULL, NULL, NULL, 0, 0, false, NULL, NULL, 70, 2381, 40, NULL, NULL, '2026-11-23 22:11:24.290997+00', NULL, '[]', NULL, NULL, NULL, 0),
	('run_01m857dgahf6c8wwp2p4qvy9wm', 'job_01m857dg99f6c8wwng0nvehyda', 1, 'publishing', 'b4931bb813629a01e9b7ece090bb289335adcac4', NULL, NULL, NULL, 0, 0, false, NULL, NULL, 1058, 4873, 78, '{"end":{"outcome":"completed","code":"published","sentence":"1 changed file was published in the pull request."},"summary":"Wrote: Write page frozen","replies":[],"allowedHosts":[],"warnings":[],"limit":null,"checks":{"ran":true,"links":0,"pages":1,"navigation":true,"problems":[],"more":0},"change":{"branch":"pagewright/write-page-frozen-0nvehyda","tip":null,"sha":"5596e06ec94aa7fc641ea5ec4a94e6fcb09ccfba","message":"Write page frozen\n\nWrote: Write page frozen\n\nPagewright-Run: run_01m857dgahf6c8wwp2p4qvy9wm\n","author":{"name":"pagewright-test[bot]","email":"1014368+pagewright-test[bot]@users.noreply.127.0.0.1"},"date":"2026-11-23T22:11:26.100Z","title":"Write page frozen","description":"Wrote: Write page frozen","section":"<!-- pagewright:start -->\n\nWrote: Write page frozen\n\n## Checks\n\nChecked: 0 links, 1 page parsed, navigation. No problems.\n\n## What was asked\n\n- **ci** (api), 2026-11-23 22:11 UTC:\n  > Write page frozen\n\n<!-- pagewright:end -->","newBody":"<!-- pagewright:start -->\n\nWrote: Write page frozen\n\n## Checks\n\nChecked: 0 links, 1 page parsed, navigation. No problems.\n\n## What was asked\n\n- **ci** (api), 2026-11-23 22:11 UTC:\n  > Write page frozen\n\n<!-- pagewright:end -->\n\n<!-- pagewright:job job_01m857dg99f6c8wwng0nvehyda -->","draft":false,"becomesDraft":false}}', NULL, '2026-11-23 22:11:24.611647+00', NULL, '[]', NULL, NULL, NULL, 2381);

INSERT INTO public.turns (run_id, turn_index, inputs, answer, results, opened_at, original, compacted_for) VALUES
	('run_01m857ddh6f6c8wwksewq7h8zw', 1, '[]', '{"text":"","toolCalls":[{"callId":"call_6d1dcc5dcb23a2bf_1_0","name":"finish","arguments":"{\"summary\":\"Wrote: Write page archived\",\"title\":\"Write page archived\"}"}],"items":["{\"type\":\"reasoning\",\"id\":\"rs_6d1dcc5dcb23a2bf_1\",\"summary\":[],\"encrypted_content\":\"sealed:6d1dcc5dcb23a2bf_1\"}","{\"type\":\"function_call\",\"id\":\"fc_6d1dcc5dcb23a2bf_1_0\",\"call_id\":\"call_6d1dcc5dcb23a2bf_1_0\",\"name\":\"finish\",\"arguments\":\"{\\\"summary\\\":\\\"Wrote: Write page archived\\\",\\\"title\\\":\\\"Write page archived\\\"}\",\"status\":\"completed\"}"],"stop":"end","usage":{"tokensIn":2495,"tokensOut":39,"tokensCached":2381}}', '[{"callId":"call_6d1dcc5dcb23a2bf_1_0","output":"finished","isError":false}]', '2026-11-23 22:11:22.157764+00', NULL, NULL),
	('run_01m857daekf6c8wwj9wh9dydz1', 0, '["The repository is acme/docs; the pull request targets its branch main.\n\n<overview>\nMarkdown in the root: 2 pages\n- New pages need no navigation entry.\n</overview>","<message id=\"msg_01m857dacpf6c8wwj0erga7sqn\" from=\"ci\">Write page done</message>"]', '{"text":"","toolCalls":[{"callId":"call_24c0da5abb0e3579_1_0","name":"write_file","arguments":"{\"path\":\"done.md\",\"content\":\"# done\\n\\nWrite page done\\n\"}"}],"items":["{\"type\":\"reasoning\",\"id\":\"rs_24c0da5abb0e3579_1\",\"summary\":[],\"encrypted_content\":\"sealed:24c0da5abb0e3579_1\"}","{\"type\":\"function_call\",\"id\":\"fc_24c0da5abb0e3579_1_0\",\"call_id\":\"call_24c0da5abb0e3579_1_0\",\"name\":\"write_file\",\"arguments\":\"{\\\"path\\\":\\\"done.md\\\",\\\"content\\\":\\\"# done\\\\n\\\\nWrite page done\\\\n\\\"}\",\"status\":\"completed\"}"],"stop":"end","usage":{"tokensIn":2380,"tokensOut":38,"tokensCached":0}}', '[{"callId":"call_24c0da5abb0e3579_1_0","output":"created done.md (3 lines)","isError":false}]', '2026-11-23 22:11:19.943053+00', NULL, NULL),
	('run_01m857daekf6c8wwj9wh9dydz1', 1, '[]', '{"text":"","toolCalls":[{"callId":"call_a85721f6d0543e46_1_0","name":"finish","arguments":"{\"summary\":\"Wrote: Write page done\",\"title\":\"Write page done\"}"}],"items":["{\"type\":\"reasoning\",\"id\":\"rs_a85721f6d0543e46_1\",\"summary\":[],\"encrypted_content\":\"sealed:a85721f6d0543e46_1\"}","{\"type\":\"function_call\",\"id\":\"fc_a85721f6d0543e46_1_0\",\"call_id\":\"call_a85721f6d0543e46_1_0\",\"name\":\"finish\",\"arguments\":\"{\\\"summary\\\":\\\"Wrote: Write page done\\\",\\\"title\\\":\\\"Write page done\\\"}\",\"status\":\"completed\"}"],"stop":"end","usage":{"tokensIn":2490,"tokensOut":37,"tokensCached":2380}}', '[{"callId":"call_a85721f6d0543e46_1_0","output":"finished","isError":false}]', '2026-11-23 22:11:20.013983+00', NULL, NULL),
	('run_01m857dcrjf6c8wwk6vpv7qh46', 0, '["The repository is acme/docs; the pull request targets its branch main.\n\n<overview>\nMarkdown in the root: 2 pages\n- New pages need no navigation entry.\n</overview>","<message id=\"msg_01m857dcqpf6c8wwjww5v180xy\" from=\"ci\">Write page refuse</message>"]', NULL, NULL, '2026-11-23 22:11:21.554113+00', NULL, NULL),
	('run_01m857ddh6f6c8wwksewq7h8zw', 0, '["The repository is acme/docs; the pull request targets its branch main.\n\n<overview>\nMarkdown in the root: 2 pages\n- New pages need no navigation entry.\n</overview>","<message id=\"msg_01m857ddgff6c8wwkkq1y34fjx\" from=\"ci\">Write page archived</message>"]', '{"text":"","toolCalls":[{"callId":"call_56e1fb32c25db8d8_1_0","name":"write_file","arguments":"{\"path\":\"archived.md\",\"content\":\"# archived\\n\\nWrite page archived\\n\"}"}],"items":["{\"type\":\"reasoning\",\"id\":\"rs_56e1fb32c25db8d8_1\",\"summary\":[],\"encrypted_content\":\"sealed:56e1fb32c25db8d8_1\"}","{\"type\":\"function_call\",\"id\":\"fc_56e1fb32c25db8d8_1_0\",\"call_id\":\"call_56e1fb32c25db8d8_1_0\",\"name\":\"write_file\",\"arguments\":\"{\\\"path\\\":\\\"archived.md\\\",\\\"content\\\":\\\"# archived\\\\n\\\\nWrite page archived\\\\n\\\"}\",\"status\":\"completed\"}"],"stop":"end","usage":{"tokensIn":2381,"tokensOut":41,"tokensCached":0}}', '[{"callId":"call_56e1fb32c25db8d8_1_0","output":"created archived.md (3 lines)","isError":false}]', '2026-11-23 22:11:22.116441+00', NULL, NULL),
	('run_01m857denzf6c8wwmq6ws1e44f', 1, '[]', '{"text":"","toolCalls":[{"callId":"call_f2276226875ba5ee_1_0","name":"finish","arguments":"{\"summary\":\"Wrote: Write page follow\",\"title\":\"Write page follow\"}"}],"items":["{\"type\":\"reasoning\",\"id\":\"rs_f2276226875ba5ee_1\",\"summary\":[],\"encrypted_content\":\"sealed:f2276226875ba5ee_1\"}","{\"type\":\"function_call\",\"id\":\"fc_f2276226875ba5ee_1_0\",\"call_id\":\"call_f2276226875ba5ee_1_0\",\"name\":\"finish\",\"arguments\":\"{\\\"summary\\\":\\\"Wrote: Write page follow\\\",\\\"title\\\":\\\"Write page follow\\\"}\",\"status\":\"completed\"}"],"stop":"end","usage":{"tokensIn":2492,"tokensOut":38,"tokensCached":2381}}', '[{"callId":"call_f2276226875ba5ee_1_0","output":"finished","isError":false}]', '2026-11-23 22:11:23.228939+00', NULL, NULL),
	('run_01m857denzf6c8wwmq6ws1e44f', 0, '["The repository is acme/docs; the pull request targets its branch main.\n\n<overview>\nMarkdown in the root: 2 pages\n- New pages need no navigation entry.\n</overview>","<message id=\"msg_01m857denhf6c8wwmdm0d678jr\" from=\"ci\">Write page follow</message>"]', '{"text":"","toolCalls":[{"callId":"call_5c05558b2ee92088_1_0","name":"write_file","arguments":"{\"path\":\"follow.md\",\"content\":\"# follow\\n\\nWrite page follow\\n\"}"}],"items":["{\"type\":\"reasoning\",\"id\":\"rs_5c05558b2ee92088_1\",\"summary\":[],\"encrypted_content\":\"sealed:5c05558b2ee92088_1\"}","{\"type\":\"function_call\",\"id\":\"fc_5c05558b2ee92088_1_0\",\"call_id\":\"call_5c05558b2ee92088_1_0\",\"name\":\"write_file\",\"arguments\":\"{\\\"path\\\":\\\"follow.md\\\",\\\"content\\\":\\\"# follow\\\\n\\\\nWrite page follow\\\\n\\\"}\",\"status\":\"completed\"}"],"stop":"end","usage":{"tokensIn":2381,"tokensOut":40,"tokensCached":0}}', '[{"callId":"call_5c05558b2ee92088_1_0","output":"created follow.md (3 lines)","isError":false}]', '2026-11-23 22:11:23.205255+00', NULL, NULL),
	('run_01m857dg05f6c8wwnak6npcdtz', 0, '["The repository is acme/docs; the pull request targets its branch main.\n\n<overview>\nMarkdown in the root: 2 pages\n- New pages need no navigation entry.\n</overview>","<message id=\"msg_01m857dfz7f6c8wwn64pqppj40\" from=\"ci\">Write page middle</message>"]', '{"text":"","toolCalls":[{"callId":"call_5b45b5f38b53412c_1_0","name":"write_file","arguments":"{\"path\":\"middle.md\",\"content\":\"# middle\\n\\nWrite page middle\\n\"}"}],"items":["{\"type\":\"reasoning\",\"id\":\"rs_5b45b5f38b53412c_1\",\"summary\":[],\"encrypted_content\":\"sealed:5b45b5f38b53412c_1\"}","{\"type\":\"function_call\",\"id\":\"fc_5b45b5f38b53412c_1_0\",\"call_id\":\"call_5b45b5f38b53412c_1_0\",\"name\":\"write_file\",\"arguments\":\"{\\\"path\\\":\\\"middle.md\\\",\\\"content\\\":\\\"# middle\\\\n\\\\nWrite page middle\\\\n\\\"}\",\"status\":\"completed\"}"],"stop":"end","usage":{"tokensIn":2381,"tokensOut":40,"tokensCached":0}}', '[{"callId":"call_5b45b5f38b53412c_1_0","output":"created middle.md (3 lines)","isError":false}]', '2026-11-23 22:11:24.48406+00', NULL, NULL),
	('run_01m857dg05f6c8wwnak6npcdtz', 1, '[]', NULL, NULL, '2026-11-23 22:11:24.520281+00', NULL, NULL),
	('run_01m857dgahf6c8wwp2p4qvy9wm', 0, '["The repository is acme/docs; the pull request targets its branch main.\n\n<overview>\nMarkdown in the root: 2 pages\n- New pages need no navigation entry.\n</overview>","<message id=\"msg_01m857dg9af6c8wwnxmhvhzdfh\" from=\"ci\">Write page frozen</message>"]', '{"text":"","toolCalls":[{"callId":"call_a015671f3e896e36_1_0","name":"write_file","arguments":"{\"path\":\"frozen.md\",\"content\":\"# frozen\\n\\nWrite page frozen\\n\"}"}],"items":["{\"type\":\"reasoning\",\"id\":\"rs_a015671f3e896e36_1\",\"summary\":[],\"encrypted_content\":\"sealed:a015671f3e896e36_1\"}","{\"type\":\"function_call\",\"id\":\"fc_a015671f3e896e36_1_0\",\"call_id\":\"call_a015671f3e896e36_1_0\",\"name\":\"write_file\",\"arguments\":\"{\\\"path\\\":\\\"frozen.md\\\",\\\"content\\\":\\\"# frozen\\\\n\\\\nWrite page frozen\\\\n\\\"}\",\"status\":\"completed\"}"],"stop":"end","usage":{"tokensIn":2381,"tokensOut":40,"tokensCached":0}}', '[{"callId":"call_a015671f3e896e36_1_0","output":"created frozen.md (3 lines)","isError":false}]', '2026-11-23 22:11:25.917193+00', NULL, NULL),
	('run_01m857dgahf6c8wwp2p4qvy9wm', 1, '[]', '{"text":"","toolCalls":[{"callId":"call_2b75294e84a7aa5e_1_0","name":"finish","arguments":"{\"summary\":\"Wrote: Write page frozen\",\"title\":\"Write page frozen\"}"}],"items":["{\"type\":\"reasoning\",\"id\":\"rs_2b75294e84a7aa5e_1\",\"summary\":[],\"encrypted_content\":\"sealed:2b75294e84a7aa5e_1\"}","{\"type\":\"function_call\",\"id\":\"fc_2b75294e84a7aa5e_1_0\",\"call_id\":\"call_2b75294e84a7aa5e_1_0\",\"name\":\"finish\",\"arguments\":\"{\\\"summary\\\":\\\"Wrote: Write page frozen\\\",\\\"title\\\":\\\"Write page frozen\\\"}\",\"status\":\"completed\"}"],"stop":"end","usage":{"tokensIn":2492,"tokensOut":38,"tokensCached":2381}}', '[{"callId":"call_2b75294e84a7aa5e_1_0","output":"finished","isError":false}]', '2026-11-23 22:11:26.019573+00', NULL, NULL);

INSERT INTO public.watermarks (name, moment, page) VALUES
	('reconcile', '2026-11-23 22:11:18.837376+00', NULL),
	('refresh-settings', '2026-11-23 22:11:19.28776+00', NULL);

ALTER TABLE ONLY pgboss.bam
    ADD CONSTRAINT bam_pkey PRIMARY KEY (id);

ALTER TABLE ONLY pgboss.job
    ADD CONSTRAINT job_pkey PRIMARY KEY (name, id);

ALTER TABLE ONLY pgboss.job_common
    ADD CONSTRAINT job_common_pkey PRIMARY KEY (name, id);

ALTER TABLE ONLY pgboss.job_dependency
    ADD CONSTRAINT job_dependency_pkey PRIMARY KEY (child_name, child_id, parent_name, parent_id);

ALTER TABLE ONLY pgboss.queue
    ADD CONSTRAINT queue_pkey PRIMARY KEY (name);

ALTER TABLE ONLY pgboss.queue_stats
    ADD CONSTRAINT queue_stats_pkey PRIMARY KEY (id, captured_on);

ALTER TABLE ONLY pgboss.queue_stats_20261123
    ADD CONSTRAINT queue_stats_20261123_pkey PRIMARY KEY (id, captured_on);

ALTER TABLE ONLY pgboss.queue_stats_20261124
    ADD CONSTRAINT queue_stats_20261124_pkey PRIMARY KEY (id, captured_on);

ALTER TABLE ONLY pgboss.schedule
    ADD CONSTRAINT schedule_pkey PRIMARY KEY (name, key);

ALTER TABLE ONLY pgboss.subscription
    ADD CONSTRAINT subscription_pkey PRIMARY KEY (event, name);

ALTER TABLE ONLY pgboss.version
    ADD CONSTRAINT version_pkey PRIMARY KEY (version);

ALTER TABLE ONLY pgboss.warning
    ADD CONSTRAINT warning_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (key_id);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_sha256_key UNIQUE (sha256);

ALTER TABLE ONLY public.claims
    ADD CONSTRAINT claims_pkey PRIMARY KEY (project_id);

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (delivery_id);

ALTER TABLE ONLY public.effects
    ADD CONSTRAINT effects_pkey PRIMARY KEY (job_id, key);

ALTER TABLE public.effects
    ADD CONSTRAINT effects_state_check CHECK ((state = ANY (ARRAY['intended'::text, 'done'::text, 'refused'::text]))) NOT VALID;

ALTER TABLE ONLY public.installations
    ADD CONSTRAINT installations_pkey PRIMARY KEY (installation_id);

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_branch UNIQUE (project_id, branch);

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (job_id);

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_pull_request UNIQUE (project_id, pull_request_number);

ALTER TABLE ONLY public.kysely_migration_lock
    ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_job_id_seq_key UNIQUE (job_id, seq);

ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_job_id_source_key_key UNIQUE (job_id, source_key);

ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_pkey PRIMARY KEY (message_id);

ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_pkey PRIMARY KEY (project_id);

ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_repository_id_key UNIQUE (repository_id);

ALTER TABLE ONLY public.rate_counters
    ADD CONSTRAINT rate_counters_pkey PRIMARY KEY (project_id, window_start);

ALTER TABLE ONLY public.redeliveries
    ADD CONSTRAINT redeliveries_pkey PRIMARY KEY (delivery_id);

ALTER TABLE ONLY public.run_files
    ADD CONSTRAINT run_files_pkey PRIMARY KEY (run_id, path);

ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_job_id_number_key UNIQUE (job_id, number);

ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_pkey PRIMARY KEY (run_id);

ALTER TABLE ONLY public.turns
    ADD CONSTRAINT turns_pkey PRIMARY KEY (run_id, turn_index);

ALTER TABLE ONLY public.watermarks
    ADD CONSTRAINT watermarks_pkey PRIMARY KEY (name);

CREATE UNIQUE INDEX job_common_i1 ON pgboss.job_common USING btree (name, COALESCE(singleton_key, ''::text)) WHERE ((state = 'created'::pgboss.job_state) AND (policy = 'short'::text));

CREATE INDEX job_common_i10 ON pgboss.job_common USING btree (name, singleton_key, state DESC, created_on, id) INCLUDE (start_after) WHERE ((state < 'active'::pgboss.job_state) AND (NOT blocked) AND (policy = 'key_strict_fifo'::text));

CREATE INDEX job_common_i11 ON pgboss.job_common USING btree (name, priority DESC, created_on, start_after) WHERE ((state < 'active'::pgboss.job_state) AND (NOT blocked));

CREATE INDEX job_common_i12 ON pgboss.job_common USING btree (source_root_id) WHERE (source_root_id IS NOT NULL);

CREATE UNIQUE INDEX job_common_i2 ON pgboss.job_common USING btree (name, COALESCE(singleton_key, ''::text)) WHERE ((state = 'active'::pgboss.job_state) AND (policy = 'singleton'::text));

CREATE UNIQUE INDEX job_common_i3 ON pgboss.job_common USING btree (name, state, COALESCE(singleton_key, ''::text)) WHERE ((state <= 'active'::pgboss.job_state) AND (policy = 'stately'::text));

CREATE UNIQUE INDEX job_common_i4 ON pgboss.job_common USING btree (name, singleton_on, COALESCE(singleton_key, ''::text)) WHERE ((state <> 'cancelled'::pgboss.job_state) AND (singleton_on IS NOT NULL));

CREATE UNIQUE INDEX job_common_i6 ON pgboss.job_common USING btree (name, COALESCE(singleton_key, ''::text)) WHERE ((state <= 'active'::pgboss.job_state) AND (policy = 'exclusive'::text));

CREATE INDEX job_common_i7 ON pgboss.job_common USING btree (name, group_id) WHERE ((state = 'active'::pgboss.job_state) AND (group_id IS NOT NULL));

CREATE UNIQUE INDEX job_common_i8 ON pgboss.job_common USING btree (name, singleton_key) WHERE ((state = ANY (ARRAY['active'::pgboss.job_state, 'retry'::pgboss.job_state, 'failed'::pgboss.job_state])) AND (policy = 'key_strict_fifo'::text));

CREATE INDEX job_common_i9 ON pgboss.job_common USING btree (name, id) WHERE (blocking AND (state = 'completed'::pgboss.job_state));

CREATE INDEX job_dep_parent_idx ON pgboss.job_dependency USING btree (parent_name, parent_id);

CREATE INDEX queue_stats_i1 ON ONLY pgboss.queue_stats USING btree (name, captured_on DESC) INCLUDE (deferred_count, queued_count, ready_count, active_count, failed_count, total_count);

CREATE INDEX queue_stats_20261123_name_captured_on_deferred_count_queued_idx ON pgboss.queue_stats_20261123 USING btree (name, captured_on DESC) INCLUDE (deferred_count, queued_count, ready_count, active_count, failed_count, total_count);

CREATE INDEX queue_stats_20261124_name_captured_on_deferred_count_queued_idx ON pgboss.queue_stats_20261124 USING btree (name, captured_on DESC) INCLUDE (deferred_count, queued_count, ready_count, active_count, failed_count, total_count);

CREATE INDEX warning_i1 ON pgboss.warning USING btree (created_on DESC);

CREATE INDEX api_keys_project ON public.api_keys USING btree (project_id);

CREATE INDEX deliveries_processed ON public.deliveries USING btree (processed_at) WHERE (state <> 'stored'::text);

CREATE INDEX deliveries_review ON public.deliveries USING btree (repository_id, review_id) WHERE (review_id IS NOT NULL);

CREATE INDEX deliveries_stored ON public.deliveries USING btree (received_at) WHERE (state = 'stored'::text);

CREATE INDEX effects_promised ON public.effects USING btree (intended_at) WHERE ((state = 'intended'::text) AND (epoch = 0));

CREATE INDEX effects_run ON public.effects USING btree (run_id);

CREATE INDEX jobs_due ON public.jobs USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX jobs_leased ON public.jobs USING btree (lease_until) WHERE (lease_until IS NOT NULL);

CREATE INDEX jobs_open ON public.jobs USING btree (project_id) WHERE (status <> 'archived'::text);

CREATE INDEX jobs_settled ON public.jobs USING btree (status) WHERE (status <> 'active'::text);

CREATE INDEX jobs_unrecorded ON public.jobs USING btree (project_id) WHERE ((pull_request_number IS NULL) AND (branch IS NOT NULL));

CREATE INDEX jobs_watched ON public.jobs USING btree (project_id) WHERE ((pull_request_number IS NOT NULL) AND ((status <> 'archived'::text) OR (archive_reason = 'closed'::text)));

CREATE INDEX messages_run ON public.messages USING btree (run_id);

CREATE INDEX projects_installation ON public.projects USING btree (installation_id);

CREATE INDEX projects_name ON public.projects USING btree (lower(owner), lower(repo)) WHERE (removed_at IS NULL);

CREATE INDEX redeliveries_due ON public.redeliveries USING btree (failed_at) WHERE (due_at IS NOT NULL);

CREATE INDEX runs_by_end ON public.runs USING btree (outcome, code) WHERE (phase = 'ended'::text);

CREATE UNIQUE INDEX runs_one_not_ended ON public.runs USING btree (job_id) WHERE (phase <> 'ended'::text);

CREATE INDEX runs_with_turns ON public.runs USING btree (ended_at) WHERE ((phase = 'ended'::text) AND (removed_turns IS NULL));

ALTER INDEX pgboss.job_pkey ATTACH PARTITION pgboss.job_common_pkey;

ALTER INDEX pgboss.queue_stats_i1 ATTACH PARTITION pgboss.queue_stats_20261123_name_captured_on_deferred_count_queued_idx;

ALTER INDEX pgboss.queue_stats_pkey ATTACH PARTITION pgboss.queue_stats_20261123_pkey;

ALTER INDEX pgboss.queue_stats_i1 ATTACH PARTITION pgboss.queue_stats_20261124_name_captured_on_deferred_count_queued_idx;

ALTER INDEX pgboss.queue_stats_pkey ATTACH PARTITION pgboss.queue_stats_20261124_pkey;

ALTER TABLE ONLY pgboss.job_common
    ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter) REFERENCES pgboss.queue(name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY pgboss.job_common
    ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFERENCES pgboss.queue(name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY pgboss.queue
    ADD CONSTRAINT queue_dead_letter_fkey FOREIGN KEY (dead_letter) REFERENCES pgboss.queue(name);

ALTER TABLE ONLY pgboss.schedule
    ADD CONSTRAINT schedule_name_fkey FOREIGN KEY (name) REFERENCES pgboss.queue(name) ON DELETE CASCADE;

ALTER TABLE ONLY pgboss.subscription
    ADD CONSTRAINT subscription_name_fkey FOREIGN KEY (name) REFERENCES pgboss.queue(name) ON DELETE CASCADE;

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(project_id);

ALTER TABLE ONLY public.effects
    ADD CONSTRAINT effects_job_id_fkey FOREIGN KEY (job_id) REFERENCES public.jobs(job_id);

ALTER TABLE ONLY public.effects
    ADD CONSTRAINT effects_message_id_fkey FOREIGN KEY (message_id) REFERENCES public.messages(message_id);

ALTER TABLE ONLY public.effects
    ADD CONSTRAINT effects_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.runs(run_id);

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(project_id);

ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_job_id_fkey FOREIGN KEY (job_id) REFERENCES public.jobs(job_id);

ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.runs(run_id);

ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_installation_id_fkey FOREIGN KEY (installation_id) REFERENCES public.installations(installation_id);

ALTER TABLE ONLY public.rate_counters
    ADD CONSTRAINT rate_counters_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(project_id);

ALTER TABLE ONLY public.run_files
    ADD CONSTRAINT run_files_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.runs(run_id);

ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_job_id_fkey FOREIGN KEY (job_id) REFERENCES public.jobs(job_id);

ALTER TABLE ONLY public.turns
    ADD CONSTRAINT turns_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.runs(run_id);
