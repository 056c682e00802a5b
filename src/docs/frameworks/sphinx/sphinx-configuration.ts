import { type FileTree, joinPath } from '../../tree.ts';

export interface SphinxConfiguration {
  file: string;
  text: string;
  /** Suffixes of pages, with the dot. */
  suffixes: string[];
  /** The name of the start page. */
  rootDocument: string;
  excluded: string[];
  /** Titles are labels. */
  hasTitleLabels: boolean;
  /** Labels may be those of other projects, or be made by an extension. */
  hasOpenLabels: boolean;
  /** An extension may make pages. */
  makesPages: boolean;
  /** An extension lists pages: in code, by their dates, or in a file of its own. */
  hasOtherLists: boolean;
  /** By sphinx_reredirects and sphinxext.rediraffe. */
  redirects: PythonString[];
}

/** They make no labels and no pages. */
const plainExtensions =
  /^(?:sphinx\.ext\.(?:autosectionlabel|coverage|doctest|duration|extlinks|githubpages|graphviz|ifconfig|imgconverter|imgmath|intersphinx|linkcode|mathjax|todo|viewcode)|myst_parser|recommonmark|sphinx_design|sphinx_copybutton|sphinx_inline_tabs|sphinx_tabs\.tabs|sphinxext\.(?:opengraph|rediraffe)|sphinx_reredirects|notfound\.extension|sphinxcontrib\.(?:mermaid|youtube|video|jquery|images|katex)|sphinx_(?:rtd_theme|sitemap|last_updated_by_git|togglebutton|favicon|prompt|toolbox\.collapse|issues|lint|external_toc|notfound_page|book_theme|multiversion)|hoverxref\.extension|jupyter_sphinx|pallets_sphinx_themes|pydata_sphinx_theme|furo|sphinx_removed_in|sphinx-prompt)$/;

/** https://www.sphinx-doc.org/en/master/usage/configuration.html, which is not run. */
export function readSphinxConfiguration(tree: FileTree, root: string): SphinxConfiguration {
  const file = joinPath(root, 'conf.py') ?? '';
  const text = tree.read(file) ?? '';
  const settings = readPython(text);
  const list = (name: string) => (settings.get(name)?.strings ?? []).map(({ value }) => value);
  const extensions = list('extensions');
  const isKnown =
    settings.get('extensions')?.isPlain !== false && !/^[ \t]*(?:from\s+\S+\s+import\s+\*|exec\()/m.test(text);
  const isPlain = isKnown && extensions.every((name) => plainExtensions.test(name));
  const hasMarkdown = /myst|recommonmark|markdown|["']\.md["']/i.test(text);
  // A dictionary has the suffixes as its keys.
  const named = (settings.get('source_suffix')?.strings ?? []).map(({ value, key }) => key?.value ?? value);
  return {
    file,
    text,
    suffixes: [
      ...new Set([
        ...(named.length > 0 ? named.filter((each) => each.startsWith('.')) : ['.rst']),
        ...(hasMarkdown ? ['.md'] : []),
      ]),
    ],
    rootDocument: list('root_doc')[0] ?? list('master_doc')[0] ?? 'index',
    // Only some builds leave out what stands behind a condition.
    excluded: /^exclude_patterns[ \t]*\+?=[^\n]{0,200}\bif\b/m.test(text) ? [] : list('exclude_patterns'),
    hasTitleLabels: /autosectionlabel/.test(text),
    hasOpenLabels: !isPlain || settings.has('intersphinx_mapping') || /autosectionlabel/.test(text),
    makesPages: !isPlain,
    hasOtherLists: /autosummary|autoapi|ablog|sphinx_gallery|external_toc/.test(text),
    redirects: ['redirects', 'rediraffe_redirects'].flatMap((name) => settings.get(name)?.strings ?? []),
  };
}

/** `start` to `end`: without quotes. */
interface Quoted {
  value: string;
  start: number;
  end: number;
}

/** A string of Python. */
interface PythonString extends Quoted {
  /** The string that stands before it and a colon, in a dictionary. */
  key: Quoted | undefined;
}

interface PythonSetting {
  strings: PythonString[];
  /** Whether it is made of nothing but strings, numbers and names of constants. */
  isPlain: boolean;
}

const assignment = /^(\w+)[ \t]*(?:\+?=(?!=)|:[^=\n]{1,100}=(?!=)|\.(?:append|extend|update)\()[ \t]*/gm;

/**
 * The settings at the top level of a file of Python, which is not run: `name = "x"`, `name += ["x"]`, `name.append("x")`. Several of a name are
 * one. Linear time.
 */
function readPython(text: string): Map<string, PythonSetting> {
  const settings = new Map<string, PythonSetting>();
  for (const { 0: opening, 1: name = '', index } of text.matchAll(assignment)) {
    const { strings, isPlain } = readValue(text, index + opening.length - (opening.trimEnd().endsWith('(') ? 1 : 0));
    const known = settings.get(name);
    settings.set(name, {
      strings: [...(known?.strings ?? []), ...strings],
      isPlain: isPlain && (known?.isPlain ?? true),
    });
  }
  return settings;
}

const token = /#[^\n]*|([A-Za-z]{0,2})("""|'''|"|')|[([{]|[)\]}]|,|:|\n|[A-Za-z_][\w.]*|[^\s\w"'#([{)\]},:]+|\d[\w.]*/y;
const constant = /^(?:True|False|None)$/;

function readValue(text: string, from: number): PythonSetting {
  const strings: PythonString[] = [];
  let [depth, isPlain, at] = [0, true, from];
  let last: Quoted | undefined;
  let key: Quoted | undefined;
  while (at < text.length) {
    token.lastIndex = at;
    const found = token.exec(text);
    if (found === null) {
      at += 1;
      continue;
    }
    const [whole, prefix = '', quote] = found;
    at += whole.length;
    if (quote !== undefined) {
      const end = findStringEnd(text, at, quote);
      if (/f/i.test(prefix)) isPlain = false;
      last = { value: text.slice(at, end).replace(/\\(["'\\])/g, '$1'), start: at, end };
      strings.push({ ...last, key });
      at = end + quote.length;
    } else if (/^[([{]/.test(whole)) depth += 1;
    else if (/^[)\]}]/.test(whole)) {
      depth -= 1;
      key = undefined;
      if (depth < 0) break;
    } else if (whole === '\n') {
      if (depth === 0) break;
    } else if (whole === ':') {
      key = last;
      if (last !== undefined) strings.pop();
    } else if (whole === ',') key = undefined;
    else if (!whole.startsWith('#') && !constant.test(whole) && !/^\d/.test(whole)) isPlain = false;
  }
  return { strings, isPlain };
}

function findStringEnd(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text.startsWith(quote, at) || (text[at] === '\n' && quote.length === 1)) return at;
  }
  return text.length;
}
