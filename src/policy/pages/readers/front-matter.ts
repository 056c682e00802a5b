import { cutFrontMatter } from '../../../docs/formats/front-matter.ts';
import { readToml } from '../../../docs/formats/toml.ts';
import { isSecretPath } from '../../../secrets/is-secret-path.ts';
import type { Findings } from '../page-code.ts';
import type { Dialect } from './dialect.ts';
import { endsAttribute, scanElement, texts } from './html/attributes.ts';
import { readPlainHtml } from './html/elements.ts';
import { listStrings } from './literals.ts';
import { isOutput, leavesSite } from './outputs.ts';
import { readPageYaml } from './page-yaml.ts';
import { addCopied } from './script-links.ts';

/** Keys by which one of the frameworks loads or runs something for a page, or reads it in another way. */
const loading = new Set(
  `head layout layouts hooks script scripts js javascript javascripts extra_javascript extra_css css style styles stylesheet stylesheets
  template templateengineoverride render_with_liquid eleventycomputed engine extends plugins imports import components outputs
  markup wrapperclass transformers page_template mdx format md pagination eleventyimport eleventydatasource jupytext kernelspec mystnb myst
  from reader sql substitutions html_meta file_format execution_mode execute jupyter knitr filters include-in-header include-before-body
  include-after-body header-includes template-partials shortcodes pandoc_args metadata-files csl extensions plugin preprocess
  preprocessors macros build processor parser renderer converter client server getstaticprops loader data collections`.split(
    /\s+/,
  ),
);
/** Keys that decide by a boolean which reader the page gets. */
const switching =
  /^(?:render_macros|render_with_liquid|permalinkbypassoutputdir|eleventycomputed|mdx|execute|eval|knitr|ssr|live)$/;
/** Themes load what such a key names. */
const asset = /(?:^|[_-])(?:js|css|scripts?|styles?|stylesheets?|javascripts?)$/i;

/** The same for Quarto and R Markdown. https://quarto.org/docs/reference/formats/html.html */
const loadingForPandoc = new Set(
  `listing about project website book resources theme syntax-definition syntax-definitions lua-filter lua-filters filter pdf-engine
  pdf-engine-opts html-math-method mathjax katex syntax-highlighting highlight-style output runtime knit params site includes
  reference-doc latex-engine epub-cover-image bibliography csl output-file output-dir output-ext embed-resources self-contained
  ipynb-filters ipynb-shell-interactivity julia engines webr pyodide pandoc revealjs-plugins background-iframe shiny brand
  comments input-files metadata-file defaults data-dir abstract-title before-body after-body in-header`.split(/\s+/),
);

/** YAML takes long to read. */
const maxCharacters = 50_000;

/** Of Hugo: it chooses the layout. */
const loadingForHugo = new Set(['type']);

/** They choose the component of the page, or of its elements. */
const loadingForMdc = new Set(['component', 'mdc']);

interface Keys {
  /** Whether a site loads or runs something for a key with this value. */
  isLoading(name: string, value?: unknown): boolean;
  /** A build may copy or read it. */
  addFile(file: string): void;
}

/**
 * Finds front matter by which a site loads or runs something, such as `---js`. In Hugo it may be a JSON object; for Pandoc it may stand
 * anywhere in the page.
 */
export function scanFrontMatter(
  findings: Findings,
  text: string,
  { path, dialect: { templates, markdown, layouts, copiesFiles, mdc } }: { path: string; dialect: Dialect },
): void {
  const isHugo = templates.includes('hugo');
  const isPandoc = markdown.includes('pandoc');
  const keys: Keys = {
    isLoading(name, value) {
      if ((name === 'layout' || name === 'template') && layouts.some((layout) => layout === value)) return false;
      return (
        loading.has(name) ||
        (isPandoc && loadingForPandoc.has(name)) ||
        (isHugo && loadingForHugo.has(name)) ||
        (mdc && loadingForMdc.has(name))
      );
    },
    addFile(file) {
      if (copiesFiles && (/^\.\.?\//.test(file) || isSecretPath(file))) addCopied(findings, file, path);
    },
  };
  // Astro takes blank lines before it.
  const start = text.trimStart();
  const { fence = '', language = '', source = '', bodyStart = 0 } = cutFrontMatter(start) ?? {};
  const early = isHugo ? readHugo(findings, text, keys) : cutEarly(start);
  if (language !== '' && language !== 'yaml') {
    findings.add('front matter', `${fence}${language} ${source}`, { clue: `${fence}${language}` });
  } else if (bodyStart > 0) readSource(findings, { fence, source }, keys);
  const isOther = bodyStart === 0 || early?.source.trim() !== source.trim() || early.fence !== fence;
  if (early !== undefined && isOther && (isHugo || (language === '' && early.isClosed)))
    readSource(findings, early, keys);
  // MkDocs takes lines of names and values without any mark.
  if (markdown.includes('python') && bodyStart === 0)
    readLines(findings, /^(?: {0,3}[\w-]+:[^\n]*\n)*/.exec(`${text}\n`)?.[0] ?? '', keys);
  if (!isPandoc) return;
  const parts = start.slice(bodyStart).split(/^[ \t]*(?:---|\.\.\.)[ \t]*$/m);
  for (const part of parts.slice(1, -1)) {
    // Most are text between rules. Only flow style and references hide a key within a line.
    if (/^[ \t]{0,99}(?:[{&]|\*\w{1,50}\s{0,9}:)/m.test(part)) readFrontYaml(findings, part, keys);
    else if (/^[\w"'-]+[ \t]*:/m.test(part)) readLines(findings, part, keys);
  }
}

/** Behind blanks, and lines that open a comment. Hugo takes JSON and Org in every page. Returns what else may be front matter. */
function readHugo(findings: Findings, text: string, keys: Keys): ReturnType<typeof cutEarly> {
  const start = text.replace(/^(?:[\s\uFEFF]|<!--[^\n]*\n)+/, '');
  if (start.startsWith('{')) readJson(findings, start, keys);
  const [org = ''] = /^(?:#\+[^\n]*\n)+/.exec(`${start}\n`) ?? [];
  readLines(findings, org.replaceAll('#+', ''), keys);
  return cutEarly(start);
}

/** Up to a line that only begins like the first, as Astro and Hugo end it. */
function cutEarly(start: string): { fence: string; source: string; isClosed: boolean } | undefined {
  const [fence] = /^(?:---|\+\+\+)/.exec(start) ?? [];
  if (fence === undefined) return undefined;
  const end = start.indexOf(`\n${fence}`);
  return { fence, source: start.slice(3, end === -1 ? undefined : end), isClosed: end !== -1 };
}

function readSource(findings: Findings, { fence, source }: { fence: string; source: string }, keys: Keys): void {
  const { value } = fence === '+++' ? readToml(source) : {};
  if (fence === '---') readFrontYaml(findings, source, keys);
  else if (value !== undefined) readValues(findings, value, keys);
  else readLines(findings, source, keys);
}

function readFrontYaml(findings: Findings, source: string, keys: Keys): void {
  // Readers of YAML differ in what they make of a tag; R Markdown runs `!r` and `!expr`.
  for (const line of source.split('\n'))
    if (line.includes('!') && /(?:^|[\s:[{,-])!(?:!|<|\w+\/|(?:r|expr)\b)/.test(line))
      findings.add('front matter', line, { clue: '!' });
  const values = source.length > maxCharacters ? undefined : readPageYaml(source);
  if (values === undefined) readLines(findings, source, keys);
  else readValues(findings, values, keys);
}

/** To the brace that closes the object. */
function readJson(findings: Findings, text: string, keys: Keys): void {
  let depth = 0;
  let isText = false;
  let end = text.length;
  for (const { 0: mark, index } of text.matchAll(/\\[\s\S]|["{}]/g)) {
    if (mark === '"') isText = !isText;
    else if (!isText && mark.length === 1) depth += mark === '{' ? 1 : -1;
    if (depth > 0) continue;
    end = index + 1;
    break;
  }
  try {
    readValues(findings, JSON.parse(text.slice(0, end)), keys);
  } catch {
    readLines(findings, text.slice(0, end), keys);
  }
}

function readValues(findings: Findings, values: unknown, keys: Keys): void {
  if (!isRecord(values)) return;
  for (const [key, value] of Object.entries(values)) {
    // Eleventy merges without the mark.
    const name = key.toLowerCase().replace(/^override:/, '');
    // Hugo gives them to the pages below; some readers of YAML merge them into the page.
    if (name === 'cascade' || name === '<<')
      for (const each of Array.isArray(value) ? value : [value]) readValues(findings, each, keys);
    if (switching.test(name) || (keys.isLoading(name, value) && !isSwitch(value)))
      findings.add('front matter', `${key}: ${JSON.stringify(value)}`, { clue: key });
    for (const [inner, text] of listStrings(value, key)) {
      // An image in a block of a page is read, not written.
      const isMedia = inner !== key && /\.(?:png|jpe?g|gif|svg|webp|avif)$/i.test(text);
      if ((isOutput(name) || isOutput(inner)) && !isMedia && leavesSite(text))
        findings.add('output', `${key}: ${text}`, { clue: key });
      scanElement(findings, { tag: null, attributes: [[inner, text]] });
      if (asset.test(inner)) findings.add('front matter', `${inner}: ${text}`, { clue: inner });
      if (!texts.test(inner) && endsAttribute(text)) findings.add('event', `${inner}: ${text}`, { clue: inner });
      if (!texts.test(inner)) keys.addFile(text.split(/\s/, 1)[0] ?? '');
      // Several themes put such texts into the page as they are.
      if (text.includes('<')) readPlainHtml(findings, text);
    }
  }
}

/** Where it does not parse: each line that may load something. */
function readLines(findings: Findings, body: string, keys: Keys): void {
  for (const line of body.split('\n')) {
    const key = /^[\s[{"'?]*(?:override:)?([\w.-]+)/.exec(line)?.[1]?.split('.')[0] ?? '';
    // References and escapes hide a key.
    if (/^\s*[&*]|^[^:]*\\|\{\s*["'\w-]+\s*:/.test(line)) findings.add('front matter', line, { clue: key });
    if (keys.isLoading(key.toLowerCase())) findings.add('front matter', line, { clue: key });
    if (isOutput(key) && leavesSite(line.replace(/^[^:=]*[:=]\s*/, '').replace(/^["'[]{1,9}|["'\]]{1,9}$/g, '')))
      findings.add('output', line, { clue: key });
    if (/(?:^|[\s:[{,-])![\w!<]/.test(line)) findings.add('front matter', line, { clue: '!' });
    for (const word of line.split(/[\s"'[\],]+/)) keys.addFile(word);
    findings.addAddresses(line);
    if (line.includes('<')) readPlainHtml(findings, line);
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Only booleans and numbers: which parts of the page are shown. */
function isSwitch(value: unknown): boolean {
  if (isRecord(value)) return Object.values(value).every(isSwitch);
  return typeof value === 'boolean' || typeof value === 'number' || value === null;
}
