import { once } from 'node:events';
import { connect } from 'node:net';

/** What a server answers to these bytes until it closes the connection. `status` is 0 if it answers nothing. */
export async function sendRaw(
  port: number,
  bytes: string | Uint8Array,
): Promise<{ status: number; headers: Map<string, string>; body: string }> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  await once(socket, 'connect');
  let answer = '';
  socket.setEncoding('utf8').on('data', (part) => {
    answer += part;
  });
  socket.on('error', () => {});
  socket.write(bytes);
  const ended = Promise.race([once(socket, 'end'), once(socket, 'close')]);
  await ended.catch(() => {});
  socket.destroy();
  const [head = '', body = ''] = answer.split(/\r\n\r\n([\s\S]*)/);
  const [first = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const [name = '', ...value] = line.split(':');
    return [name.toLowerCase(), value.join(':').trim()];
  });
  return { status: Number(first.split(' ')[1] ?? 0), headers: new Map(headers), body };
}
