import type { OtherRepositories } from '../../tools/tool-parts.ts';
import type { OpenRepository } from '../checkout.ts';
import type { CheckedOutRun } from '../run-context.ts';

/** The context repositories for the tools, below `@owner/repo`. Each use asks whether the repository may still be read. */
export function createOtherRepositories({ checkout }: CheckedOutRun): OtherRepositories {
  const { contextRepositories, workspace } = checkout;
  const { opened, names } = contextRepositories;
  const known = new Set(names.map((name) => name.toLowerCase()));
  const prefixes = opened.map(({ prefix }) => prefix);

  return {
    list: () => opened.map(({ prefix, files }) => ({ prefix, count: files.listFiles().length })),
    isOutside(path) {
      const [, name] = named.exec(path) ?? [];
      if (name === undefined || known.size === 0) return false;
      if (known.has(name.toLowerCase())) return true;
      // A folder of this repository may begin with @, too.
      const [owner = ''] = name.split('/');
      return !workspace.listFiles().some((file) => file.startsWith(`@${owner}/`));
    },
    async find(path, signal) {
      const [start = path, name = path] = named.exec(path) ?? [];
      const repository = opened.find((each) => isNamed(each, name));
      if (repository === undefined)
        return { kind: 'refused', reason: `@${name.slice(0, 200)} cannot be read. ${describeOpen(prefixes)}` };
      const obstacle = await contextRepositories.findObstacle(repository, signal);
      if (obstacle !== undefined) return { kind: 'refused', reason: obstacle };
      return { kind: 'found', repository, inside: path.slice(start.length).replace(/^\/+/, '') };
    },
  };
}

/** `acme/api` of `@acme/api/src/a.ts`. */
const named = /^(?:\.\/)?@([\w-]+\/[\w.-]+)/;

const isNamed = ({ name, repository, prefix }: OpenRepository, wanted: string) =>
  [name, repository.fullName, prefix.slice(1)].some((known) => known.toLowerCase() === wanted.toLowerCase());

const describeOpen = (prefixes: readonly string[]) =>
  prefixes.length === 0 ? 'No other repository can be read.' : `These can: ${prefixes.join(', ')}.`;
