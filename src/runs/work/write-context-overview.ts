import { oneLine } from '../escape-elements.ts';

const maxLanguages = 6;
const maxPaths = 10;
const maxFolders = 12;
const maxLength = 1_500;

/** What another repository holds, in a few lines: languages, descriptions of APIs, where its documentation is. Names are on one line. */
export function writeContextOverview(
  paths: readonly string[],
  {
    only,
  }: { /** Globs of the settings: other files exist, but runs do not see them. */ only: readonly string[] | null },
): string {
  const descriptions = paths.filter((path) => apiDescription.test(path));
  const lines = [
    `${paths.length.toLocaleString('en')} files; only to read`,
    ...(only ? [`You see only its files of ${shorten(only).join(', ')}. It has others`] : []),
    ...describe('Languages', countBy(paths.flatMap(findLanguage)).slice(0, maxLanguages)),
    ...describe('Folders', countBy(paths.flatMap(findFolder)).slice(0, maxFolders)),
    ...describe('API descriptions', shorten(descriptions)),
    ...describe('Documentation', shorten(listDocumentation(paths))),
  ];
  return lines.join('\n').slice(0, maxLength).toWellFormed();
}

const apiDescription = /(?:^|\/)(?:openapi|swagger|asyncapi)[\w.-]*\.(?:ya?ml|json)$|\.(?:proto|graphqls?)$/i;

/** With the extensions of its files. */
const languages = Object.entries({
  TypeScript: 'ts tsx mts',
  JavaScript: 'js jsx mjs cjs',
  Python: 'py',
  Go: 'go',
  Rust: 'rs',
  Java: 'java',
  Kotlin: 'kt',
  Scala: 'scala',
  Ruby: 'rb',
  PHP: 'php',
  'C#': 'cs',
  C: 'c h',
  'C++': 'cc cpp hpp',
  Swift: 'swift',
  Elixir: 'ex exs',
  Dart: 'dart',
  Lua: 'lua',
  Shell: 'sh',
  SQL: 'sql',
  Vue: 'vue',
  Svelte: 'svelte',
  Terraform: 'tf',
});
const byExtension = new Map(languages.flatMap(([name, all]) => all.split(' ').map((extension) => [extension, name])));

const findLanguage = (path: string) => byExtension.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase()) ?? [];

const findFolder = (path: string) => (path.includes('/') ? [`${path.slice(0, path.indexOf('/'))}/`] : []);

/** Folders of documentation at any depth, each without those in it, and the texts at the root. */
function listDocumentation(paths: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    const [folder] = /^(?:[^/]+\/){0,4}?(?:docs?|documentation)\//i.exec(path) ?? [];
    if (folder !== undefined) folders.add(folder);
  }
  return [...folders, ...paths.filter((path) => /^(?:readme|changelog)\.\w+$/i.test(path))];
}

/** `name count`, the most frequent first. */
const countBy = (names: readonly string[]): string[] =>
  [...Map.groupBy(names, (name) => name)]
    .map(([name, all]) => ({ name, count: all.length }))
    .toSorted((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
    .map(({ name, count }) => `${oneLine(name)} ${count}`);

const shorten = (paths: readonly string[]) => [
  ...paths.slice(0, maxPaths).map((path) => oneLine(path).slice(0, 120)),
  ...(paths.length > maxPaths ? [`and ${paths.length - maxPaths} more`] : []),
];

const describe = (what: string, items: readonly string[]) =>
  items.length === 0 ? [] : [`${what}: ${items.join(', ')}`];
