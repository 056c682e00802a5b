import { Readable, Writable } from 'node:stream';
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

/** Takes rows of COPY FROM STDIN. Ends once the server has stored all of them; destroying it early ends the connection. */
export function writeCopy(client: ClientBase, statement: string): Writable {
  let connection: Connection | undefined;
  let opened: ((error?: Error) => void) | undefined;
  let ended: ((error?: Error | null) => void) | undefined;
  let isDone = false;
  const send = (kind: string, parts: readonly Buffer[], sent: (error?: Error | null) => void) =>
    void connection?.stream.write(Buffer.concat([toHead(kind, parts), ...parts]), sent);
  const stream = new Writable({
    construct(done) {
      opened = done;
      client.query<Submittable>(query);
    },
    write: (chunk: Buffer, _encoding, done) => send('d', [chunk], done),
    writev: (chunks: { chunk: Buffer }[], done) =>
      send(
        'd',
        chunks.map(({ chunk }) => chunk),
        done,
      ),
    final(done) {
      ended = done;
      send('c', [], () => {});
    },
    destroy(error, done) {
      if (!isDone) connection?.stream.destroy();
      done(error);
    },
  });
  const query = {
    submit(to: Connection) {
      connection = to;
      to.query(statement);
    },
    handleRowDescription() {},
    handleDataRow() {},
    handleCommandComplete() {},
    handleCopyInResponse() {
      opened?.();
      opened = undefined;
    },
    handleError(error: Error) {
      isDone = true;
      if (opened) opened(error);
      else stream.destroy(error);
    },
    handleReadyForQuery() {
      isDone = true;
      ended?.();
    },
  };
  return stream;
}

/** https://www.postgresql.org/docs/18/protocol-message-formats.html#PROTOCOL-MESSAGE-FORMATS-COPYDATA */
function toHead(kind: string, parts: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(5);
  head.write(kind);
  head.writeInt32BE(4 + parts.reduce((bytes, { length }) => bytes + length, 0), 1);
  return head;
}
