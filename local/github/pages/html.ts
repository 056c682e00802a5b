/** HTML. Only `html` creates it, so that no page shows unescaped text. */
export interface Html {
  readonly html: string;
}

type Part = Html | string | number | null | undefined | false | Part[];

/** A template that escapes its values unless they are HTML. It joins lists, and prints nothing for null, undefined and false. */
export const html = (texts: TemplateStringsArray, ...values: Part[]): Html => ({
  html: texts.map((text, index) => text + (index < values.length ? render(values[index]) : '')).join(''),
});

function render(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (Array.isArray(part)) return part.map(render).join('');
  return typeof part === 'object' ? part.html : escapeHtml(String(part));
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
