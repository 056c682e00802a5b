import { Readable } from 'node:stream';
import type { ClientBase, Connection, Submittable } from 'pg';

/** One chunk for each row of COPY TO, or each message of BASE_BACKUP. Destroying the stream early ends the connection. */
export function readCopy(client: ClientBase, statement: string): Readable {
  let connection: Connection | undefined;
  let isDone = false;
  const stream = new Readable({
    // Otherwise the stream joins chunks, and message boundaries are lost.
    objectMode: true,
    read: () => void connection?.stream.resume(),
    destroy(error, done) {
      if (!isDone) connection?.stream.destroy();
      done(error);
    },
  });
  // A paused connection would never see its end.
  const finish = () => {
    isDone = true;
    connection?.stream.resume();
  };
  const query = {
    submit(to: Connection) {
      connection = to;
      to.query(statement);
    },
    handleRowDescription() {},
    handleDataRow() {},
    handleCommandComplete() {},
    handleCopyData({ chunk }: { chunk: Buffer }) {
      // The parser uses its buffer again.
      if (!stream.push(Buffer.from(chunk))) connection?.stream.pause();
    },
    handleError(error: Error) {
      finish();
      stream.destroy(error);
    },
    handleReadyForQuery() {
      finish();
      stream.push(null);
    },
  };
  client.query<Submittable>(query);
  return stream;
}
