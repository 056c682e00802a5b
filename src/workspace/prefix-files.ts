import type { NoSearchResult, SearchQuery } from './search.ts';
import type { ReadableFiles } from './workspace.ts';

/** The same files, each path below `prefix`, such as `@acme/api`. */
export function prefixFiles(files: ReadableFiles, prefix: string): ReadableFiles {
  const start = `${prefix}/`;
  const add = (path: string) => start + path;
  const remove = (path: string) => (path === prefix ? '' : path.startsWith(start) ? path.slice(start.length) : path);
  const inside = (query: SearchQuery): SearchQuery => ({
    ...query,
    path: query.path === undefined ? undefined : remove(query.path),
    glob: query.glob === undefined ? undefined : remove(query.glob),
    exclude: query.exclude === undefined ? undefined : remove(query.exclude),
  });
  const failed = (found: NoSearchResult): NoSearchResult =>
    found.kind === 'missing' ? { ...found, path: add(found.path) } : found;
  const listed = files.listFiles().map(add);
  return {
    listFiles: () => listed,
    readFile: (path) => files.readFile(remove(path)),
    async search(query, signal) {
      const found = await files.search(inside(query), signal);
      if (found.kind !== 'matches') return failed(found);
      return { ...found, matches: found.matches.map((match) => ({ ...match, path: add(match.path) })) };
    },
    async countMatches(query, signal) {
      const found = await files.countMatches(inside(query), signal);
      if (found.kind !== 'counts') return failed(found);
      return { ...found, files: found.files.map((file) => ({ ...file, path: add(file.path) })) };
    },
    mark: (path) => files.mark(remove(path)),
    describeAccess: (path) => files.describeAccess(remove(path)),
  };
}
