/** Paths in order. Adding and removing take a search and a copy, not a sort: a hundred thousand files are listed again and again. */
export function createSortedPaths(initial: Iterable<string>) {
  const paths = [...initial].sort();

  /** The first place whose path is not before `path`. */
  function findPlace(path: string): number {
    let [low, high] = [0, paths.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((paths[middle] ?? '') < path) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  return {
    add(path: string): void {
      const place = findPlace(path);
      if (paths[place] !== path) paths.splice(place, 0, path);
    },
    remove(path: string): void {
      const place = findPlace(path);
      if (paths[place] === path) paths.splice(place, 1);
    },
    list: (): readonly string[] => paths,
  };
}
