import { listBraces } from './braces.ts';

/**
 * The page as a template language may hand it to Markdown, where its tags decide how the lines around them are read: with the inside of
 * comments and without it, with the line ends around tags and without them.
 */
export function expandTemplates(text: string): string[] {
  if (!/\{[{%#]/.test(text)) return [text];
  const without = cutBlocks(replace(text, '{#', '#}'));
  const made = [text, without].flatMap((each) => trims.map((trim) => expand(each, trim)));
  // Several blank lines mean what one does.
  return [...new Map([...made, text].map((each) => [each.replace(/\n{3,}/g, '\n\n'), each])).values()];
}

/** Without what `comment` hides and `highlight` shows as code. */
function cutBlocks(text: string): string {
  let kept = '';
  let from = 0;
  let isOpen = false;
  for (const { inside, start, end } of listBraces(text, '{%', '%}')) {
    const name = /\w+/.exec(inside)?.[0] ?? '';
    if (!isOpen && (name === 'comment' || name === 'highlight')) {
      kept += text.slice(from, start);
      isOpen = true;
    } else if (isOpen && (name === 'endcomment' || name === 'endhighlight')) {
      from = end;
      isOpen = false;
    }
  }
  return isOpen ? kept : kept + text.slice(from);
}

/** Which blanks a tag takes along: none, those that its dashes say, and the end of its line, as Jinja's `trim_blocks` and Nunjucks do. */
const trims = ['none', 'own', 'line'] as const;
type Trim = (typeof trims)[number];

const literal = /^[-+~\s]*["']([^"']*)["']/;

/** Tags leave nothing, or trim the blanks around them; values leave what they hold. */
function expand(text: string, trim: Trim): string {
  const tags = replace(text, '{%', '%}', trim);
  return replace(tags, '{{', '}}', trim === 'line' ? 'own' : trim);
}

/** What holds a literal leaves it. */
function replace(text: string, open: string, close: string, trim: Trim = 'none'): string {
  let made = '';
  let from = 0;
  for (const { inside, start, end } of listBraces(text, open, close)) {
    const before = text.slice(from, start);
    made +=
      (trim !== 'none' && inside.startsWith('-') ? before.trimEnd() : before) +
      (open === '{{' ? (literal.exec(inside)?.[1] ?? '') : '');
    from = end;
    if (trim !== 'none' && inside.endsWith('-')) while (/\s/.test(text[from] ?? '')) from += 1;
    if (trim === 'line' && text[from] === '\n') from += 1;
  }
  return made + text.slice(from);
}
