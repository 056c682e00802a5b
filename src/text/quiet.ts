/**
 * Makes text of others harmless in Markdown on GitHub: shown as it was written, but it mentions nobody, links and closes no
 * issue, and is no HTML. An empty comment after `@` or `#` stops GitHub from reading a reference and is not seen.
 */
export function quiet(text: string): string {
  return quietReferences(text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
}

/**
 * Makes Markdown that a model wrote safe to publish: HTML comments are taken out, because they could forge our own markers
 * or hide text from reviewers, and references are quieted outside of code. The Markdown stays Markdown.
 */
export function quietMarkdown(markdown: string): string {
  const parts = withoutComments(markdown).split(/(```[\s\S]*?(?:```|$)|`[^`\n]+`)/);
  return parts.map((part, index) => (index % 2 === 0 ? quietReferences(part) : part)).join('');
}

function quietReferences(text: string): string {
  return text
    .replace(/@(?=[a-z0-9])/gi, '@<!-- -->')
    .replace(/#(?=\d)/g, '#<!-- -->')
    .replace(/\b(GH-)(?=\d)/gi, '$1<!-- -->');
}

/** Also the comments that taking one out would make, and one that never ends. */
function withoutComments(text: string): string {
  const clean = text.replace(/<!--[\s\S]*?(?:-->|$)/g, '');
  return clean === text ? text : withoutComments(clean);
}
