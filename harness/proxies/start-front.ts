import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type SpawnedProcess, spawnProcess } from '../processes/spawn-process.ts';

const samples = join(import.meta.dirname, '../../deploy');

export interface Front {
  directory: string;
  /** The ports of the proxy and of the service. */
  port: number;
  servicePort: number;
  certificateFile: string;
  keyFile: string;
}

export const fronts = { nginx: startNginx, caddy: startCaddy };

/** The unchanged sample, except for the port, the certificate and the service's address. */
async function startNginx({ directory, port, servicePort, certificateFile, keyFile }: Front): Promise<SpawnedProcess> {
  const sample = replaceAll(await readFile(join(samples, 'nginx.conf'), 'utf8'), [
    ['  listen 443 ssl http2;', `  listen 127.0.0.1:${port} ssl http2;`],
    ['  listen [::]:443 ssl http2;', ''],
    ['127.0.0.1:3000', `127.0.0.1:${servicePort}`],
    ['/etc/letsencrypt/live/pagewright.example.com/fullchain.pem', certificateFile],
    ['/etc/letsencrypt/live/pagewright.example.com/privkey.pem', keyFile],
  ]);
  await mkdir(directory, { recursive: true });
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${directory}/${name};`,
  );
  // Only the account of this process may enter the directory.
  const user = process.getuid?.() === 0 ? 'user root;\n' : '';
  const file = join(directory, 'whole.conf');
  await writeFile(
    file,
    `daemon off;\n${user}pid ${directory}/pid;\nevents {}\nhttp {\naccess_log off;\n${paths.join('\n')}\n${sample}\n}\n`,
  );
  return startProgram(['nginx', '-e', 'stderr', '-c', file], { directory, port });
}

async function startCaddy({ directory, port, servicePort, certificateFile, keyFile }: Front): Promise<SpawnedProcess> {
  const sample = replaceAll(await readFile(join(samples, 'Caddyfile'), 'utf8'), [
    ['pagewright.example.com {', `pagewright.example.com:${port} {\n\ttls ${certificateFile} ${keyFile}`],
    ['127.0.0.1:3000', `127.0.0.1:${servicePort}`],
  ]);
  await mkdir(directory, { recursive: true });
  const file = join(directory, 'Caddyfile');
  await writeFile(file, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${sample}`);
  return startProgram(['caddy', 'run', '--config', file, '--adapter', 'caddyfile'], { directory, port });
}

/** Resolves when the port is open. */
export async function startProgram(
  command: [string, ...string[]],
  { directory, port }: { directory: string; port: number },
): Promise<SpawnedProcess> {
  const { LD_LIBRARY_PATH = '' } = process.env;
  const spawned = await spawnProcess({ command, cwd: directory, environment: { LD_LIBRARY_PATH } });
  await spawned.started(() => isOpen(port));
  return spawned;
}

const isOpen = (port: number) =>
  new Promise<true | undefined>((done) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => done(true)).on('error', () => done(undefined));
    socket.on('connect', () => socket.destroy());
  });

/** Throws if the sample lacks one of the texts: it would be tried in part only. */
function replaceAll(text: string, changes: readonly (readonly [string, string])[]): string {
  return changes.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`the sample has no ${from}`);
    return changed.replaceAll(from, to);
  }, text);
}
