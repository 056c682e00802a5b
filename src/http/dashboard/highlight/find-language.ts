/** The grammar of a file, by its ending. Only these are loaded. */
const languages: Record<string, readonly string[]> = {
  markdown: ['md', 'mdx', 'markdown', 'qmd', 'mdc', 'mdoc'],
  rst: ['rst'],
  asciidoc: ['adoc', 'asciidoc'],
  yaml: ['yml', 'yaml'],
  json: ['json', 'jsonc', 'json5'],
  toml: ['toml'],
  javascript: ['js', 'mjs', 'cjs', 'jsx'],
  typescript: ['ts', 'mts', 'cts', 'tsx'],
  bash: ['sh', 'bash', 'zsh', 'shell', 'console', 'shellscript'],
  python: ['py', 'python'],
  html: ['html', 'htm'],
  css: ['css'],
  xml: ['xml', 'svg'],
  go: ['go'],
  rust: ['rs', 'rust'],
  java: ['java'],
  ruby: ['rb', 'ruby'],
  php: ['php'],
  csharp: ['cs', 'csharp'],
  sql: ['sql'],
  graphql: ['graphql', 'gql'],
  http: ['http'],
  docker: ['dockerfile', 'docker'],
  ini: ['ini', 'env', 'properties'],
};

const byName = new Map(
  Object.entries(languages).flatMap(([language, names]) =>
    [language, ...names].map((name): [string, string] => [name, language]),
  ),
);

/** Takes a path, or the name after a fence. Undefined: it has no colours. */
export function findLanguage(name: string): string | undefined {
  const [file = ''] = name.toLowerCase().split('/').slice(-1);
  return byName.get(file.slice(file.lastIndexOf('.') + 1));
}
