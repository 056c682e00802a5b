/** Safe HTML. Only `html` makes it, so that no other text reaches a page unescaped. */
export interface Html {
  readonly html: string;
}

type Part = Html | string | number | null | undefined | false | Part[];

/** Escapes the values of a template, also in quoted attributes, unless they are `Html`. Joins lists; prints nothing for null, undefined and false. */
export const html = (texts: TemplateStringsArray, ...values: Part[]): Html => ({
  html: texts.map((text, index) => text + (index < values.length ? render(values[index]) : '')).join(''),
});

function render(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (Array.isArray(part)) return part.map(render).join('');
  return typeof part === 'object' ? part.html : escapeHtml(String(part));
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
