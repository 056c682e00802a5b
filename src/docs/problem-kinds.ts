/** What the checks find: the rows of docs/check-docs.md, the values of `checks_off`, the rules of SARIF. */
export const problemKinds = {
  syntax: {
    severity: 'must',
    finds:
      'A page of MDX does not parse. A tag of Vue, a container `:::`, a block of GitBook or a code fence is not closed',
  },
  component: { severity: 'must', finds: 'A page uses a component that it does not import and that no other page has' },
  name: { severity: 'must', finds: 'A page uses a variable `{name}` that it does not declare' },
  'front-matter': {
    severity: 'must',
    finds:
      'Front matter is not closed, is not YAML, has a key twice, or lacks the title that Starlight and Fumadocs demand',
  },
  link: {
    severity: 'must',
    finds:
      'A link leads to nothing. `should`: it has no address, one with a space or a slash too much, or one that stands apart from its text; nothing defines it, two definitions have its name, or brackets or marks are missing',
  },
  image: { severity: 'must', finds: 'An image leads to nothing' },
  import: { severity: 'must', finds: 'An import or an include leads to nothing' },
  excerpt: {
    severity: 'should',
    finds: 'A page shows a region, tag, line or function of a file that does not have it',
  },
  anchor: { severity: 'should', finds: 'An anchor matches no heading and no id' },
  navigation: {
    severity: 'must',
    finds:
      'A file with navigation or settings cannot be read. An entry leads to no page or folder (`should` in JavaScript and TypeScript, which are not run)',
  },
  unlisted: { severity: 'should', finds: 'No navigation entry leads to a page, where pages are listed by hand' },
  redirect: {
    severity: 'must',
    finds:
      'A redirect leads to nothing (`should` in JavaScript and TypeScript) or to itself. `should`: it is never reached, because an earlier one matches every address; an address is gone without a redirect (in Mintlify, and in sites that have redirects)',
  },
  address: {
    severity: 'must',
    finds: 'Two pages have the same address, so readers see only one of them',
  },
  api: {
    severity: 'must',
    finds:
      'An OpenAPI description that the change touches cannot be read, or refers to a place that it does not have. `should`: it breaks a rule of OpenAPI 3.0 or 3.1 that it has kept so far; it has an `operationId` twice; a page of Mintlify or Fern names an operation that no description has',
  },
  data: {
    severity: 'should',
    finds:
      'A code block of JSON, YAML or TOML does not parse, in Markdown, reStructuredText or AsciiDoc, and its page has no such one yet. Parts, templates, placeholders and comments are left alone',
  },
  language: {
    severity: 'should',
    finds: 'A link of a translated page leads to a page in another language, though there is one in its own',
  },
  'alt-text': {
    severity: 'should',
    finds: 'A new image has no text for readers who do not see it. `alt=""` says that it is decoration',
  },
  localhost: {
    severity: 'should',
    finds: 'A link leads to the computer of its reader, such as `http://localhost:3000`',
  },
} as const satisfies Record<string, { severity: 'must' | 'should'; finds: string }>;

export type ProblemKind = keyof typeof problemKinds;

const isKind = (name: string): name is ProblemKind => Object.hasOwn(problemKinds, name);

export const problemKindNames: readonly ProblemKind[] = Object.keys(problemKinds).filter(isKind);
