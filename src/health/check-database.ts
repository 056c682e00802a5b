import { oldestPostgres } from '../config/supported-versions.ts';
import { broken, type Finding, findLastCause, type HealthCheck, ok, warning } from './finding.ts';

interface DatabaseFacts {
  /** As PostgreSQL writes it: 18.4. */
  version: string;
  schema: string;
  mayCreateTables: boolean;
  mayCreateSchemas: boolean;
  /** A pooler gives each transaction another session, as PgBouncer does in transaction mode. */
  isTransactionPooled: boolean;
  hasRoom: boolean;
  /** Repositories that runs of a documentation are to read and may not, as they were found last. */
  closedContext: readonly { documentation: string; problem: string }[];
  now: Date;
}

/** Undefined: the embedded one, which does not run yet. */
export type InspectDatabase = (signal: AbortSignal) => Promise<DatabaseFacts | undefined>;

export const createDatabaseCheck = (inspect: InspectDatabase): HealthCheck => ({
  part: 'database',
  async find(signal) {
    const facts = await inspect(signal).catch((error: unknown) => error);
    if (facts === undefined) return ok('the embedded PostgreSQL starts with the service');
    if (!isFacts(facts)) return describeFailure(facts);
    const name = `PostgreSQL ${facts.version}`;
    if (Number.parseInt(facts.version, 10) < oldestPostgres)
      return broken(`${name} is too old`, `Use PostgreSQL ${oldestPostgres} to 18.`);
    if (!facts.mayCreateTables)
      return broken(
        `the database user may not create tables in the schema ${facts.schema}`,
        `Run, as the owner: GRANT CREATE ON SCHEMA ${facts.schema} TO the user of DATABASE_URL.`,
      );
    if (!facts.mayCreateSchemas)
      return warning(
        'the database user may not create schemas, and the queue needs one',
        'If the service has never run: GRANT CREATE ON DATABASE … TO the user of DATABASE_URL.',
      );
    if (!facts.hasRoom) return noRoom;
    if (facts.isTransactionPooled)
      return warning(
        `${name} behind a pooler in transaction mode: wake-ups get lost, and work waits for the next poll`,
        'Set PgBouncer to pool_mode=session for this database, or name the server in DATABASE_URL.',
      );
    return ok(`${name}, schema ${facts.schema}`);
  },
});

export const createContextCheck = (inspect: InspectDatabase): HealthCheck => ({
  part: 'context',
  after: 'database',
  async find(signal) {
    const closed = (await inspect(signal))?.closedContext ?? [];
    const [first] = closed;
    if (first === undefined) return ok('every context repository was read when it was asked for last');
    const others = closed.length > 1 ? `, and ${closed.length - 1} more` : '';
    return warning(
      `${first.documentation}: ${first.problem}${others}`,
      'The owners of the two repositories correct it; the settings page of the dashboard shows all of them.',
    );
  },
});

/** By PostgreSQL's class or code: https://www.postgresql.org/docs/current/errcodes-appendix.html. Its messages name users and databases, never passwords. */
const remedies: [code: RegExp, todo: string][] = [
  [/^28/, 'Correct the user and the password in DATABASE_URL, or let pg_hba.conf admit them.'],
  [/^3D000$/, 'Create it, or correct the name at the end of DATABASE_URL.'],
  [/^53300$/, 'Raise max_connections on the server, or run fewer processes.'],
  [
    /CERT|SELF_SIGNED|^ERR_TLS/,
    'Set NODE_EXTRA_CA_CERTS to the authority of the server, and use the host name of its certificate in DATABASE_URL.',
  ],
];

function describeFailure(error: unknown): Finding {
  const last = findLastCause(error);
  const code = last instanceof Error && 'code' in last ? String(last.code) : '';
  const why = last instanceof Error ? last.message || code || last.name : 'unknown';
  if (code === 'ERR_MODULE_NOT_FOUND')
    return broken(
      'no PostgreSQL is installed with Pagewright',
      'Set DATABASE_URL, or install Pagewright with its optional packages.',
    );
  const remedy = remedies.find(([pattern]) => pattern.test(code));
  if (remedy) return broken(`the database refuses the connection: ${why}`, remedy[1]);
  return broken(`the database does not answer (${why})`, 'Check DATABASE_URL, the server, and the network to it.');
}

const isFacts = (value: unknown): value is DatabaseFacts =>
  typeof value === 'object' && value !== null && 'mayCreateTables' in value;

const noRoom = broken(
  'the disk of the database is full',
  'Free some space: until then, runs wait for a day at most, and requests get 503.',
);

export const createDatabaseDiskCheck = (hasRoom: () => Promise<boolean>): HealthCheck<'database_disk'> => ({
  part: 'database_disk',
  find: async () => ((await hasRoom()) ? ok('the disk of the database has room') : noRoom),
});

/** `find` returns the folder of an embedded database that DATABASE_URL replaced. */
export const createUnusedDatabaseCheck = (find: () => string | undefined): HealthCheck => ({
  part: 'embedded_database',
  async find() {
    const cluster = find();
    if (cluster === undefined) return ok('DATA_DIR holds no other database');
    return warning(
      `DATABASE_URL is set, so the embedded database in ${cluster} is not used: its projects, keys and jobs are missing`,
      `To move them, run pagewright move-database; if nothing is missing, move ${cluster} away.`,
    );
  },
});
