import { connect, type Socket } from 'node:net';

/** `status` is 0 when the connection closed without an answer, or none came in time. */
export interface RawAnswer {
  status: number;
  head: string;
  body: string;
  tookMs: number;
}

/** Opens a connection for bytes that no HTTP client would send. The caller ends it. */
export async function openConnection(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  // The service may reset it at any moment: that is an answer.
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
  return socket;
}

/** Sends pieces one by one, each as a separate packet, and reads the first answer. */
export async function sendRaw(
  url: string,
  pieces: Iterable<string | Buffer>,
  { withinMs = 5_000 }: { withinMs?: number } = {},
): Promise<RawAnswer> {
  const began = performance.now();
  const socket = await openConnection(url);
  let received = '';
  let isOver = false;
  const answered = new Promise<void>((resolve) => {
    const end = () => {
      isOver = true;
      resolve();
    };
    socket.on('data', (bytes) => {
      // An interim answer does not count.
      received = (received + bytes.toString('latin1')).replace(/^HTTP\/1\.1 100 [^\r]*\r\n\r\n/, '');
      if (isWhole(received)) end();
    });
    socket.once('close', end);
    setTimeout(end, withinMs).unref();
  });
  for (const piece of pieces) {
    if (isOver) break;
    if (!socket.write(piece)) await Promise.race([answered, new Promise((resolve) => socket.once('drain', resolve))]);
  }
  await answered;
  socket.destroy();
  const [head = '', body = ''] = received.split('\r\n\r\n');
  return { status: Number(/^HTTP\/1\.\d (\d{3})/.exec(head)?.[1] ?? 0), head, body, tookMs: performance.now() - began };
}

function isWhole(received: string): boolean {
  const end = received.indexOf('\r\n\r\n');
  const length = /^content-length: (\d+)/im.exec(received.slice(0, end))?.[1];
  return end >= 0 && received.length - end - 4 >= Number(length ?? 0);
}
