import { Kysely } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject } from '../../../harness/create-project.ts';
import type { ModelAnswer } from '../../../src/agent/model/model.ts';
import { LeaseLost } from '../../../src/errors.ts';
import { ConnectionLost } from '../../../src/store/postgres/availability.ts';
import { connectionOptions, type Database } from '../../../src/store/postgres/database.ts';
import { createPostgresDialect } from '../../../src/store/postgres/postgres-dialect.ts';
import { findRun } from '../../../src/store/tables/jobs/runs.ts';
import { listTurns, readWrites } from '../../../src/store/tables/jobs/turns.ts';
import type { Tables } from '../../../src/store/tables/schema.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases/database.ts';
import { acceptJob, beginWork } from '../../support/databases/jobs.ts';
import { catchError } from '../../support/values/catch-error.ts';
import { openJournal } from '../../support/worlds/open-journal.ts';

let made: TestDatabase;
let projectId: string;
beforeAll(async () => {
  made = await createTestDatabase();
  ({ projectId } = await createProject(made.database));
});
afterAll(() => made[Symbol.asyncDispose]());

const usage = { tokensIn: 30, tokensOut: 12, tokensCached: 20 };
const answer: ModelAnswer = { text: 'On it.', toolCalls: [], items: [], usage, stop: 'end' };

/** A run that a worker holds, and what its agent wrote. */
async function holdRun() {
  await acceptJob(made.store, projectId);
  const { lease, run } = await beginWork(made.store);
  const writes = new Map<string, Uint8Array | null>();
  const open = (database = made.database, grace = new AbortController().signal) =>
    openJournal(database, { lease, run }, { writes: () => new Map(writes), grace });
  return { runId: run.run_id, writes, open };
}

test('promise 17: an answer is stored and counted once when the connection and then the COMMIT’s answer are lost', async () => {
  const { runId, open } = await holdRun();
  const flaky = openFlaky();
  await using _ = { [Symbol.asyncDispose]: () => flaky.database.destroy() };
  const journal = await open(flaky.database);
  await journal.openTurn(0, []);
  flaky.fail('begin', 'commit');
  await journal.saveAnswer(0, answer);
  expect(flaky.failed).toEqual(['begin', 'commit']);
  expect((await listTurns(made.database, runId))[0]?.answer).toEqual(answer);
  expect(await findRun(made.database, runId)).toMatchObject({ tokens_in: 30, tokens_out: 12, tokens_cached: 20 });
});

test('retries to store an answer end when its signal aborts', async () => {
  const { open } = await holdRun();
  const flaky = openFlaky();
  await using _ = { [Symbol.asyncDispose]: () => flaky.database.destroy() };
  const grace = new AbortController();
  const journal = await open(flaky.database, grace.signal);
  await journal.openTurn(0, []);
  flaky.fail('begin', 'begin');
  grace.abort(new LeaseLost('lost'));
  expect(await catchError(journal.saveAnswer(0, answer))).toBeInstanceOf(ConnectionLost);
  expect(flaky.failed).toEqual(['begin']);
});

test('promise 10: only changed writes are stored, also after a takeover', async () => {
  const { database } = made;
  const { runId, writes, open } = await holdRun();
  const save = async (journal: Awaited<ReturnType<typeof open>>, turnIndex: number) => {
    await journal.openTurn(turnIndex, []);
    await journal.saveResults(turnIndex, []);
    return Object.fromEntries(await readWrites(database, runId));
  };
  const forget = (path: string) => database.deleteFrom('run_files').where('path', '=', path).execute();
  const text = (words: string) => Buffer.from(words);
  const first = await open();
  for (const path of ['kept.md', 'changed.md', 'gone.md']) writes.set(path, text('1'));
  expect(await save(first, 0)).toEqual({ 'kept.md': text('1'), 'changed.md': text('1'), 'gone.md': text('1') });

  // What is not sent again does not come back.
  await forget('kept.md');
  writes.set('changed.md', null);
  writes.delete('gone.md');
  expect(await save(first, 1)).toEqual({ 'changed.md': null });

  const second = await open();
  await forget('changed.md');
  writes.set('kept.md', text('2'));
  expect(await save(second, 2)).toEqual({ 'kept.md': text('2') });
});

/** The same database over connections that are lost at the statements that one says, in that order. */
function openFlaky() {
  const pool = new pg.Pool({ ...made.connection, ...connectionOptions });
  const dialect = createPostgresDialect({ pool });
  const failing: string[] = [];
  const failed: string[] = [];
  const lose = (statement: string) => {
    if (failing[0] !== statement) return;
    failing.shift();
    failed.push(statement);
    throw new ConnectionLost('the connection to the database was lost');
  };
  const database: Database = new Kysely<Tables>({
    dialect: {
      ...dialect,
      createDriver() {
        const driver = dialect.createDriver();
        return {
          ...driver,
          async beginTransaction(...given) {
            lose('begin');
            await driver.beginTransaction(...given);
          },
          async commitTransaction(connection) {
            await driver.commitTransaction(connection);
            lose('commit');
          },
        };
      },
    },
  });
  return { database, failed, fail: (...statements: string[]) => void failing.push(...statements) };
}
