const maxSuggestions = 5;

/** The sentence for a path that does not exist, with the files that were probably meant: the same name elsewhere, or nearly the same. */
export function describeMissing(path: string, files: readonly string[]): string {
  const suggestions = suggestPaths(path, files);
  const hint = suggestions.length > 0 ? `did you mean ${suggestions.join(' or ')}?` : 'list_files shows what there is';
  return `there is no file ${path}; ${hint}`;
}

function suggestPaths(path: string, files: readonly string[]): string[] {
  const wanted = { name: nameOf(path), stem: stemOf(path) };
  const sameName = files.filter((file) => nameOf(file) === wanted.name);
  const sameStem = files.filter((file) => stemOf(file) === wanted.stem);
  return (sameName.length > 0 ? sameName : sameStem).slice(0, maxSuggestions);
}

const nameOf = (path: string): string => (path.split('/').at(-1) ?? path).normalize('NFC').toLowerCase();
const stemOf = (path: string): string => nameOf(path).replace(/\.[^.]*$/, '');
