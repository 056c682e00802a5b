import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const repository = join(import.meta.dirname, '../..');

/** What an engine needs to run the image in `root`. */
export interface Image {
  root: string;
  user: string;
  volume: string;
  environment: Record<string, string>;
  command: string[];
  healthCheck: { command: string[]; timeoutMs: number };
}

const list = z.string().transform((text) => z.array(z.string()).parse(JSON.parse(text)));

/**
 * Executes the steps of the Dockerfile in `root`, without a container engine: the base by debootstrap unless `root` holds one, RUN by
 * chroot, COPY from the checkout. Needs root's rights and Debian's mirror.
 */
export function runDockerfile(root: string): Image {
  const { workDirectory, steps } = readLastStage();
  // The image's user enters it.
  chmodSync(root, 0o755);
  if (!existsSync(join(root, 'etc/debian_version')))
    run('debootstrap', ['--variant=minbase', 'trixie', root, 'http://deb.debian.org/debian']);
  const environment: Record<string, string> = {};
  const settings = new Map(steps);
  const check = settings.get('HEALTHCHECK') ?? '';
  for (const [name, rest] of steps) {
    if (name === 'RUN') run('chroot', [root, '/bin/sh', '-ec', rest]);
    if (name === 'ENV') for (const [, key = '', value = ''] of rest.matchAll(/(\w+)=(\S+)/g)) environment[key] = value;
    if (name === 'COPY') copy(rest.split(' '), join(root, workDirectory));
  }
  return {
    root,
    user: settings.get('USER') ?? '0',
    volume: settings.get('VOLUME') ?? '',
    environment: { ...environment, PATH: '/usr/local/bin:/usr/bin:/bin' },
    command: [...list.parse(settings.get('ENTRYPOINT')), ...list.parse(settings.get('CMD'))],
    healthCheck: {
      command: list.parse(check.replace(/^.*? CMD /, '')),
      timeoutMs: 1_000 * Number(/--timeout=(\d+)s/.exec(check)?.[1]),
    },
  };
}

function readLastStage() {
  const text = readFileSync(join(repository, 'Dockerfile'), 'utf8').replaceAll(/\\\n\s*/g, '');
  const lines = text.slice(text.lastIndexOf('\nFROM ')).split('\n');
  const steps = lines.flatMap((line): [string, string][] => {
    const [, name, rest] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    return name === undefined || rest === undefined ? [] : [[name, rest]];
  });
  return { workDirectory: steps.find(([name]) => name === 'WORKDIR')?.[1] ?? '/', steps };
}

/** `--from=build` stands for what the first stage makes: the dependencies, and the code as JavaScript. */
function copy(paths: string[], directory: string): void {
  mkdirSync(directory, { recursive: true });
  if (paths[0] === '--from=build' && paths.at(-1) === 'dist') {
    run(process.execPath, ['harness/package/build-package.ts', '--service'], repository);
    cpSync(join(repository, 'dist'), join(directory, 'dist'), { recursive: true });
    return;
  }
  if (paths[0] === '--from=build') {
    for (const name of ['package.json', 'package-lock.json']) cpSync(join(repository, name), join(directory, name));
    run('npm', ['ci', '--omit=dev'], directory);
    return;
  }
  for (const path of paths.slice(0, -1)) cpSync(join(repository, path), join(directory, path), { recursive: true });
}

function run(program: string, args: string[], cwd = '/'): void {
  const { status } = spawnSync(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(`${program} ended with ${status}`);
}
