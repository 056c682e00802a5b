/**
 * Makes text of others harmless in Markdown on GitHub: shown as it was written, but it mentions nobody, links and closes no
 * issue, and is no HTML. An empty comment after `@` or `#` stops GitHub from reading a reference and is not seen.
 */
export function quiet(text: string): string {
  const shown = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return quietReferences(shown, emptyComment);
}

/** The same for a title or a commit message: no Markdown, but GitHub follows the references in them, once they are merged. */
export function quietPlain(text: string): string {
  return quietReferences(withoutMarks(text), zeroWidthSpace);
}

/**
 * Makes Markdown that a model wrote safe to publish: HTML comments are taken out, because they could forge our own markers
 * or hide text from reviewers, and references are quieted. The Markdown stays Markdown. What only looks like code may be none
 * (a fence in the middle of a line, an escaped backtick), so it is quieted as well, by what does not show in code.
 */
export function quietMarkdown(markdown: string): string {
  const parts = withoutComments(markdown).split(/(```[\s\S]*?(?:```|$)|`[^`\n]+`)/);
  return parts.map((part, index) => quietReferences(part, index % 2 === 0 ? emptyComment : zeroWidthSpace)).join('');
}

const emptyComment = '<!-- -->';
const zeroWidthSpace = '\u200B';

/** https://docs.github.com/en/issues/tracking-your-work-with-issues/using-issues/linking-a-pull-request-to-an-issue; an issue's address closes it too. */
function quietReferences(text: string, mark: string): string {
  return text
    .replace(/@(?=[a-z0-9])/gi, `@${mark}`)
    .replace(/#(?=\d)/g, `#${mark}`)
    .replace(/\b(GH-)(?=\d)/gi, `$1${mark}`)
    .replace(/\b(close[sd]?|fix(?:e[sd])?|resolve[sd]?)(?=[^\w\u200B]{1,10}https?:)/gi, `$1${mark}`);
}

/** Also the marks that taking one out would make. */
function withoutMarks(text: string): string {
  const clean = text.replace(/<!--|-->/g, '');
  return clean === text ? text : withoutMarks(clean);
}

/** Also the comments that taking one out would make, and one that never ends. */
function withoutComments(text: string): string {
  const clean = text.replace(/<!--[\s\S]*?(?:-->|$)/g, '');
  return clean === text ? text : withoutComments(clean);
}
