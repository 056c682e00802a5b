import type { PageRequest } from '../../../store/lists/page.ts';
import type { Database } from '../../../store/postgres/database.ts';
import type { Store } from '../../../store/store.ts';
import type { Cursors } from './cursors.ts';
import { pageQuery, readPageQuery } from './page-query.ts';
import type { Call, JsonReply } from './project-route.ts';
import { readQuery } from './read-query.ts';

interface NumberedList<Parts> {
  /** Part of its cursors: those of another list are refused. */
  name: string;
  /** The id of what the list belongs to. Throws the problem 404. */
  find: (store: Store, call: Call) => Promise<string>;
  read: (
    database: Database,
    id: string,
    page: PageRequest<number>,
    parts: Parts,
  ) => Promise<{ body: object; next: number | null }>;
}

/** Makes the handler of a list whose positions are numbers, and whose query has no filters. */
export const createListHandler =
  <Parts extends { cursors: Cursors }>({ name, find, read }: NumberedList<Parts>) =>
  (parts: Parts) =>
  async (call: Call): Promise<JsonReply> => {
    const asked = readQuery(call, pageQuery);
    return call.withDeadline(async (store) => {
      const id = await find(store, call);
      const place = { cursors: parts.cursors, list: [call.projectId, name, id], asked };
      const { body, nextCursor } = await readPageQuery(place, ({ limit, after }) =>
        read(store.database, id, { limit, after: after === undefined ? undefined : Number(after) }, parts),
      );
      return { status: 200, body: { ...body, nextCursor } };
    });
  };
