import { spawnSync } from 'node:child_process';
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
  /** Runs a program beside the main one. */
  run(...command: string[]): { isDone: boolean; output: string };
  isHealthy(): boolean;
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
  const run = (command: readonly string[], timeout: number) => {
    const options = { env: environment, timeout, encoding: 'utf8' } as const;
    const { status, stdout } = spawnSync('/usr/bin/nsenter', [...target, ...inside(command)], options);
    return { isDone: status === 0, output: stdout };
  };
  return {
    main,
    run: (...command) => run(command, 60_000),
    isHealthy: () => run(image.healthCheck.command, image.healthCheck.timeoutMs).isDone,
    [Symbol.asyncDispose]: () => main[Symbol.asyncDispose](),
  };
}
