import { constants } from 'node:fs';
import { access, chmod, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { leastFreeBytes, readFreeBytes } from '../disk/files.ts';
import { codeOf } from '../errors.ts';
import { broken, type HealthCheck, ok, warning } from './finding.ts';

export const nodeCheck: HealthCheck = {
  part: 'node',
  async find() {
    const major = Number.parseInt(process.versions.node, 10);
    if (major >= 24) return ok(`Node.js ${process.versions.node}`);
    return broken(
      `Node.js ${process.versions.node} is too old`,
      'Start it as npx pagewright, which uses the Node.js 24 that npm ci installs.',
    );
  },
};

/** In 2.38, git merge-tree learned to write trees. https://git-scm.com/docs/git-merge-tree */
const oldestGit = [2, 38] as const;

export const createGitCheck = (readGitVersion: (signal: AbortSignal) => Promise<string>): HealthCheck => ({
  part: 'git',
  async find(signal) {
    const text = await readGitVersion(signal).catch(() => undefined);
    const todo = `Install git ${oldestGit.join('.')} or later, in a folder of the PATH of this process.`;
    if (text === undefined) return broken('git cannot be run', todo);
    const [major = 0, minor = 0] = (/(?<!\d)\d+\.\d+/.exec(text)?.[0] ?? '').split('.').map(Number);
    const isOld = major < oldestGit[0] || (major === oldestGit[0] && minor < oldestGit[1]);
    return isOld ? broken(`${text} is too old`, todo) : ok(text);
  },
});

const gigabyte = 1024 ** 3;

export const createFolderCheck = (
  dataDir: string,
  readFree: (directory: string) => Promise<number> = readFreeBytes,
): HealthCheck<'data_dir'> => ({
  part: 'data_dir',
  async find() {
    const what = `DATA_DIR (${dataDir})`;
    try {
      // It is created on first use.
      await mkdir(dataDir, { recursive: true });
      await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    } catch (error) {
      return broken(
        `${what} cannot be written (${codeOf(error)})`,
        'Give the user of this process write access to it.',
      );
    }
    const bytes = await readFree(dataDir);
    if (bytes < leastFreeBytes)
      return broken(
        `${what} has less than 100 MB of free space`,
        'Free some: work that needs space waits until then, for a day.',
      );
    const free = bytes / gigabyte;
    const space = `${what} has ${free.toFixed(1)} GB of free space`;
    // A mirror takes up to 4 GiB.
    if (free < 5) return warning(space, 'Free some, or lower CACHE_MAX_BYTES: a large repository takes 4 GB.');
    const { uid } = await stat(dataDir);
    const self = process.getuid?.() ?? uid;
    if (uid === self) return ok(space);
    return warning(
      `${what} belongs to user ${uid}, and this process runs as user ${self}`,
      'Run every command as the user of the service: files of two users lock each other out.',
    );
  },
});

/** The files that hold secrets. The service refuses an app.json that others can read. */
export const createSecretFilesCheck = (dataDir: string): HealthCheck => ({
  part: 'secret_files',
  async find() {
    const files = ['app.json', 'secrets.key'].map((name) => join(dataDir, name));
    const modes = await Promise.all(files.map(async (path) => ({ path, mode: await readMode(path) })));
    const open = modes.filter(({ mode }) => mode !== undefined && (mode & 0o077) !== 0).map(({ path }) => path);
    if (open.length === 0) return ok('no other user can read the files that hold secrets');
    return {
      ...broken(`other users can read ${open.join(' and ')}`, `Run: chmod 600 ${open.join(' ')}`),
      fix: async () => {
        await Promise.all(open.map((path) => chmod(path, 0o600)));
        return `ran chmod 600 ${open.join(' ')}`;
      },
    };
  },
});

const readMode = (path: string) =>
  stat(path).then(
    ({ mode }) => mode,
    () => undefined,
  );
