import type { CodeKind, PageCode } from './page-code.ts';

const asBlock = 'To show code, write it as a code block';

const words: Record<CodeKind, { what: string; instead: string }> = {
  import: {
    what: 'import a module that no page of the base imports',
    instead: `Import only what other pages import; \`search\` finds them. If the page was moved, let its imports lead to the same files as before. ${asBlock}`,
  },
  export: { what: 'export more than literals', instead: `Write literals, or the text itself. ${asBlock}` },
  component: {
    what: 'use a component that no page of the base uses',
    instead: 'Use a component that other pages use, or plain Markdown. To show it as text, write \\<, or inline code',
  },
  expression: {
    what: 'hold an expression that is not a literal',
    instead: 'Write its value. To show braces as text, write \\{ in MDX, or inline code',
  },
  script: { what: 'run a script', instead: asBlock },
  style: { what: 'bring a style sheet', instead: 'Use the classes and components of the site' },
  event: { what: 'run a script at an event', instead: `Leave the attribute out, or use a link. ${asBlock}` },
  attribute: {
    what: 'have an attribute that no page of the base has, and that a library of the site may run',
    instead: 'Leave the attribute out. To show HTML, write it as code',
  },
  address: { what: 'link to an address that runs code', instead: 'Link to a page, or to an https address' },
  html: { what: 'put raw HTML into the page', instead: 'Write the HTML as part of the page, or Markdown' },
  frame: {
    what: 'embed, or send a form to, a host that no page of the base does',
    instead: 'Write a link to it instead',
  },
  head: { what: 'change what the head of the page loads', instead: 'Leave the element out' },
  template: {
    what: 'hold live template syntax that no page of the base has',
    instead:
      'Write its value. To show it as text, use the escape of the template language: `{% raw %}` in Liquid and Jinja, `<code v-pre>` in Vue',
  },
  shortcode: {
    what: 'use a shortcode or tag that no page of the base uses',
    instead:
      'Use one that other pages use, or plain Markdown. To show it as text, write its escaped form, such as `{{</* name */>}}` in Hugo',
  },
  include: {
    what: 'include a file that is not in the repository, or is hidden there',
    instead: 'Include a file of the repository by its path, or write the text into the page',
  },
  directive: {
    what: 'use a directive that runs, reads or writes HTML, as no page of the base does',
    instead: 'Use a plain directive or Markdown; to show code, use a code block that does not run',
  },
  cell: {
    what: 'run code that no page of the base runs',
    instead:
      'Leave cells as they are: they may be moved, and their captions changed. To show code, write a block that does not run (```python), and a cell as ```{{python}}',
  },
  'front matter': {
    what: 'load something by its front matter that no page of the base loads',
    instead: 'Leave the key out, or give it a value that other pages have',
  },
  output: {
    what: 'be written to, or lead to, a place that is no page of the site',
    instead: 'Give an address of a page of the site: no `..`, no other host, no template, no ending but .html',
  },
};

const inAsciiDoc: { kinds: ReadonlySet<CodeKind>; instead: string } = {
  kinds: new Set(['html', 'directive', 'script', 'event', 'attribute', 'address']),
  instead:
    'Use what other pages use. To show it as text, write a block of `----` behind a blank line; a macro also as `` `+name:text[]+` ``',
};

const maxListed = 3;

/** The refusal for the model: the rule, what breaks it and where, and what to write instead. */
export function describeCode(path: string, added: readonly PageCode[], text: string): string {
  const folded = text.toLowerCase();
  const isAsciiDoc = /\.(?:adoc|asciidoc)$/i.test(path);
  const kinds = [...Map.groupBy(added, ({ kind }) => kind)].slice(0, maxListed);
  const findings = kinds.map(([kind, found]) => {
    const names = found
      .slice(0, maxListed)
      .map((code) => `${quote(code.shown ?? code.name)}${describeLine(folded, code)}`);
    const { instead } = isAsciiDoc && inAsciiDoc.kinds.has(kind) ? inAsciiDoc : words[kind];
    return `it would ${words[kind].what}: ${names.join(', ')}. ${instead}`;
  });
  return `pages may not add code that no page of the base has, and ${path} would: ${findings.join('; ')}. If the page cannot do without, say so in your summary`;
}

/** Nothing where a name is not written like this in the page. */
function describeLine(folded: string, { name, shown, clue }: PageCode): string {
  const [first = ''] = (shown ?? name).toLowerCase().split('\n');
  const at = [first, clue.toLowerCase()].map((words) => (words === '' ? -1 : folded.indexOf(words)));
  const place = at.find((each) => each !== -1);
  return place === undefined ? '' : ` (line ${folded.slice(0, place).split('\n').length})`;
}

function quote(name: string): string {
  const line = name.replaceAll('\n', ' ');
  return `\`${line.length > 120 ? `${line.slice(0, 120)}…` : line}\``;
}
