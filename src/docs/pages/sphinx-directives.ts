import type { Directive, PlacedText } from '../formats/rst.ts';
import type { Excerpt } from './list-excerpts.ts';
import type { Link, LinkForm } from './list-links.ts';
import type { IncludedPart, PageEntry } from './read-page.ts';

interface FoundInDirectives {
  links: Link[];
  parts: IncludedPart[];
  excerpts: Excerpt[];
  entries: PageEntry[];
  /** Names for `:ref:`. */
  labels: string[];
  /** Directives that write text from elsewhere, such as the documentation in code. */
  generators: string[];
}

const placeOf = ({ text, start }: PlacedText) => ({ target: text, start, end: start + text.length });
/** Files of docutils, names with variables, and addresses. */
const isPath = (text: string) => text !== '' && !/^<|^[a-z][a-z\d+.-]*:|[{}|*]/i.test(text);
/** Options that name a file, by directive. */
const fileOptions = new Map([
  ['csv-table', 'file'],
  ['raw', 'file'],
  ['graphviz', 'file'],
]);
const linkForms = new Map<string, LinkForm>([
  ['doc', 'document'],
  ['ref', 'label'],
]);

/** What the directives of Sphinx name: https://www.sphinx-doc.org/en/master/usage/restructuredtext/directives.html */
export function readDirectives(directives: readonly Directive[]): FoundInDirectives {
  const found: FoundInDirectives = { links: [], parts: [], excerpts: [], entries: [], labels: [], generators: [] };
  for (const { name, argument, options, body } of directives) {
    const label = options.get('name');
    if (label !== undefined) found.labels.push(label.text);
    const file =
      options.get(fileOptions.get(name) ?? '') ?? (/^(?:literal)?include$/.test(name) ? argument : undefined);
    if (file !== undefined && isPath(file.text)) found.parts.push({ ...placeOf(file), kind: 'include', isPath: true });
    if (name === 'literalinclude' && isPath(argument.text)) found.excerpts.push(...listExcerpts(argument, options));
    if (/^(?:image|figure)$/.test(name) && argument.text !== '') {
      found.links.push({ ...placeOf(argument), kind: 'image', form: 'path' });
      const target = options.get('target');
      if (target !== undefined && !/_$|^[`{]/.test(target.text))
        found.links.push({ ...placeOf(target), kind: 'link', form: 'inline' });
    }
    // https://sphinx-design.readthedocs.io/en/latest/cards.html, https://sphinx-design.readthedocs.io/en/latest/badges_buttons.html
    const isButton = name === 'button-ref';
    const form = linkForms.get(options.get(isButton ? 'ref-type' : 'link-type')?.text ?? '');
    const link = isButton ? argument : options.get('link');
    if (form !== undefined && link !== undefined) found.links.push(toLink(link, form));
    if (name === 'toctree') found.entries.push(...listEntries(body, options.has('glob')));
    if (/^auto|^(?:doxygen|breathe|argparse|click|openapi|swagger)/.test(name)) found.generators.push(name);
  }
  return found;
}

/** https://www.sphinx-doc.org/en/master/usage/restructuredtext/directives.html#directive-literalinclude */
const excerptOptions = {
  lines: 'line',
  pyobject: 'object',
  'start-after': 'text',
  'start-at': 'text',
  'end-before': 'text',
  'end-at': 'text',
} as const;

const listExcerpts = ({ text: target, start }: PlacedText, options: Directive['options']): Excerpt[] =>
  Object.entries(excerptOptions).flatMap(([name, kind]) => {
    const written = options.get(name)?.text.trim() ?? '';
    const value = kind === 'line' ? (/^\d+/.exec(written)?.[0] ?? '') : written;
    return value === '' ? [] : [{ target, start, kind, value }];
  });

const toLink = (span: PlacedText, form: LinkForm): Link => ({ ...placeOf(span), kind: 'link', form });

/** `title <target>`, where the target is not hidden in a longer text. */
function findTarget({ text, start }: PlacedText): PlacedText {
  const open = text.indexOf('<');
  const close = text.indexOf('>', open);
  if (open >= 0 && close > open + 1 && text.slice(close + 1).trim() === '') {
    const inside = text.slice(open + 1, close);
    const target = inside.trimStart();
    return { text: target.trimEnd(), start: start + open + 1 + inside.length - target.length };
  }
  const bare = text.trimStart();
  return { text: bare.trimEnd(), start: start + text.length - bare.length };
}

/** https://www.sphinx-doc.org/en/master/usage/restructuredtext/directives.html#directive-toctree */
const listEntries = (body: readonly PlacedText[], isGlob: boolean): PageEntry[] =>
  body.flatMap((line) => {
    const target = findTarget(line);
    if (/^self$|^[a-z][a-z\d+.-]*:/.test(target.text)) return [];
    return [{ ...placeOf(target), isPattern: isGlob && /[*?[]/.test(target.text) && target.text === line.text }];
  });

const roleForms = new Map<string, LinkForm>([
  ['doc', 'document'],
  ['std:doc', 'document'],
  ['ref', 'label'],
  ['std:ref', 'label'],
  ['numref', 'label'],
  ['download', 'path'],
]);

/** A role with its text: :doc:`text`, or {doc}`text` in MyST. `at`: where the text begins in the page. */
export function readRoleLinks(name: string, text: string, at: number): Link[] {
  const form = roleForms.get(name.toLowerCase());
  const target = findTarget({ text, start: at });
  if (form === undefined || target.text === '' || /^!|[{}|\n]/.test(target.text)) return [];
  const isTextless = /(?:^|:)ref$/i.test(name) && target.text === text.trim();
  return [{ ...toLink(target, form), ...(isTextless && { isTextless }) }];
}
