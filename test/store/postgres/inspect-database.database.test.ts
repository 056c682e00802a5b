import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { hasDatabaseRoom } from '../../../src/store/postgres/inspect-database.ts';
import { createTestDatabase } from '../../support/databases/database.ts';

test('a database has room unless its disk is full, and keeps nothing of the try', async () => {
  await using made = await createTestDatabase();
  const { database } = made;
  expect(await hasDatabaseRoom(database)).toBe(true);
  expect(await hasDatabaseRoom(database)).toBe(true);
  // As PostgreSQL does where a table finds no room.
  await sql`create function find_no_room() returns event_trigger language plpgsql as $$ begin
    raise sqlstate '53100' using message = 'could not extend file: No space left on device';
  end $$`.execute(database);
  await sql`create event trigger full_disk on ddl_command_end execute function find_no_room()`.execute(database);
  expect(await hasDatabaseRoom(database)).toBe(false);
});
