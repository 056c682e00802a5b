/** Breaks mentions, issue references, closing keywords and skip-checks keywords with `mark`, which must be invisible. */
export function neutralizeReferences(text: string, mark: string): string {
  return neutralizeNames(neutralizeCommands(text, mark), mark);
}

export function neutralizeNames(text: string, mark: string): string {
  return text
    .replace(/@(?=[a-z0-9&])/giu, `@${mark}`)
    .replace(/#(?=\d)/g, `#${mark}`)
    .replace(/(?<![a-z0-9])(GH\\?-)(?=\d)/giu, `$1${mark}`);
}

// A closing keyword also works before an issue URL, after any non-word characters.
// https://docs.github.com/en/issues/tracking-your-work-with-issues/using-issues/linking-a-pull-request-to-an-issue
// https://docs.github.com/en/actions/how-tos/manage-workflow-runs/skip-workflow-runs
export function neutralizeCommands(text: string, mark: string): string {
  return text
    .replace(closingWord, `$1${mark}`)
    .replace(/\[(?=\s*(?:(?:skip|no)\s+ci|ci\s+skip|skip\s+actions|actions\s+skip)\s*\])/gi, `[${mark}`)
    .replace(/(skip)(?=-checks\s*[:&])/gi, `$1${mark}`);
}

const closingWord =
  /(?<![a-z0-9])(close[sd]?|fix(?:e[sd])?|resolve[sd]?)(?![a-z0-9\u200B])(?=[^a-z0-9]*(?:https?(?:\\?:|&)|(?<=&#?)[a-z0-9]+;)|[^a-z0-9\]]*\][([])/giu;

// Decodes references that mentions or issues can use. Keeps others, which could decode to Markdown, in hexadecimal: a decimal number looks
// like an issue. https://spec.commonmark.org/0.31.2/#entity-and-numeric-character-references
export function decodeCharacterReferences(text: string, mark: string): string {
  return text.replace(characterReference, (whole, decimal?: string, hexadecimal?: string, name?: string) => {
    const shown = read({ decimal, hexadecimal, name });
    if (shown !== undefined && isReferring(shown)) return shown + mark;
    return decimal === undefined ? whole : `&#x${Number(decimal).toString(16)};`;
  });
}

export function neutralizeCharacterReferences(text: string, mark: string): string {
  return text.replace(characterReference, (whole) => `&${mark}${whole.slice(1)}`);
}

const characterReference = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][a-z\d]*));/gi;
const names = new Map([
  ['commat', '@'],
  ['num', '#'],
  ['colon', ':'],
  ['fjlig', 'fj'],
]);

function read({
  decimal,
  hexadecimal,
  name,
}: {
  decimal: string | undefined;
  hexadecimal: string | undefined;
  name: string | undefined;
}): string | undefined {
  if (name !== undefined) return names.get(name);
  const point = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  return point < 0x80 ? String.fromCharCode(point) : undefined;
}

const isReferring = (shown: string) => /^[a-z0-9@#:-]+$/i.test(shown);
