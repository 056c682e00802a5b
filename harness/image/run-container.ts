import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type SpawnedProcess, spawnProcess } from '../processes/spawn-process.ts';
import type { Image } from './run-dockerfile.ts';

/** As compose.yaml says: the root is read-only, but for the volume and an empty /tmp. */
const mounts = `
mount --bind "$ROOT" "$ROOT"
mount --bind "$ROOT$VOLUME" "$ROOT$VOLUME"
mount -t tmpfs tmpfs "$ROOT/tmp"
mount -t proc proc "$ROOT/proc"
mount --bind /dev "$ROOT/dev"
mount -o remount,bind,ro "$ROOT"
exec "$@"`;

export interface Container extends AsyncDisposable {
  main: SpawnedProcess;
  /** Runs a program beside the main one. Rejects, with what it printed, if it fails. */
  run(...command: string[]): Promise<string>;
  isHealthy(): Promise<boolean>;
}

/** Runs the image's command in a mount namespace of its own, as its user, without rights that it could gain. Needs root's rights. */
export async function runContainer(
  image: Image,
  { cwd, ...given }: { cwd: string; environment: object },
): Promise<Container> {
  const { root, user, volume } = image;
  const environment = { HOME: '/nonexistent', NODE_COMPILE_CACHE: '', ...image.environment, ...given.environment };
  const asUser = [
    'setpriv',
    `--reuid=${user}`,
    `--regid=${user}`,
    '--clear-groups',
    '--no-new-privs',
    '--bounding-set=-all',
  ];
  const inside = (command: readonly string[]) => ['/usr/sbin/chroot', root, ...asUser, ...command];
  const main = await spawnProcess({
    command: ['/usr/bin/unshare', '--mount', '/bin/sh', '-ec', mounts, 'sh', ...inside(image.command)],
    cwd,
    environment: { ...environment, ROOT: root, VOLUME: volume },
  });
  const target = ['--mount', `--target=${main.pid}`];
  // Not synchronously: what it asks for may be served by this process.
  const run = async (command: readonly string[], timeout: number) =>
    (await promisify(execFile)('/usr/bin/nsenter', [...target, ...inside(command)], { env: environment, timeout }))
      .stdout;
  return {
    main,
    run: (...command) => run(command, 60_000),
    isHealthy: () =>
      run(image.healthCheck.command, image.healthCheck.timeoutMs).then(
        () => true,
        () => false,
      ),
    [Symbol.asyncDispose]: () => main[Symbol.asyncDispose](),
  };
}
