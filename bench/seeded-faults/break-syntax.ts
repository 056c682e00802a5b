import { blankCode } from '../../src/docs/pages/blank-code.ts';
import { drawPage, type Ground, isParsedAsMdx, type Seed, seed, splice, tells } from './seed.ts';

const isMarkdown = (path: string) => /\.mdx?$/.test(path);

const closingTag = /^<\/[A-Z]\w+>$/gm;

/** Removes the last closing tag that stands alone on a line. */
export const unclose: Seed = (ground) => {
  const find = (text: string) => [...blankCode(text, { isMdx: true }).prose.matchAll(closingTag)].at(-1);
  const page = drawPage(
    ground,
    (site, path, text) => isParsedAsMdx(site.framework.name, path) && find(text) !== undefined,
  );
  const tag = page && find(page.text);
  if (!page || !tag) return undefined;
  const text = splice(page.text, { start: tag.index, end: tag.index + tag[0].length }, '');
  return seed(page.site, page.path, text, tells(page.path, 'syntax'));
};

/** Removes the closing mark of the first fence, where another with a language follows. */
export const mergeFences: Seed = (ground) => {
  const first = /^```\w+[^\n`]*\n(?:(?!```)[^\n]*\n)*```\n(?=(?:(?!`{3})[^\n]*\n)*```\w)/m;
  const page = drawPage(
    ground,
    (_, path, text) => isMarkdown(path) && first.test(text) && !/^(?:`{4,}|~{3,})/m.test(text),
  );
  if (!page) return undefined;
  const text = page.text.replace(first, (found) => found.replace(/```\n$/, ''));
  return seed(page.site, page.path, text, tells(page.path, 'syntax'));
};

/** Of one component, which stands in a tag of the page, and which no other page has without importing it. */
export const removeImport: Seed = (ground) => {
  const statement = /^import \{ ?(\w+) ?\} from [^\n]*$/m;
  const find = (site: Ground['sites'][number], path: string, text: string) =>
    blankCode(text, { isMdx: true }).scripts.find((script) => {
      const name = statement.exec(script.text)?.[1];
      return site.pages.get(path)?.tags.some((tag) => tag.name === name) ?? false;
    });
  const page = drawPage(
    ground,
    (site, path, text) =>
      /^(?:Starlight|Nextra)$/.test(site.framework.name) &&
      path.endsWith('.mdx') &&
      find(site, path, text) !== undefined,
  );
  const script = page && find(page.site, page.path, page.text);
  if (!page || !script) return undefined;
  const kept = script.text.replace(statement, '');
  const text = splice(page.text, { start: script.start, end: script.start + script.text.length }, kept);
  return seed(page.site, page.path, text, tells(page.path, 'component'));
};
