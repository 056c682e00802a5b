import { type PythonString, readPython } from '../../formats/python.ts';
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
