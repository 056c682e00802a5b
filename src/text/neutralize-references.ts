/**
 * Quiets what GitHub acts upon in a text: mentions, issues, words that close an issue, and words that keep the checks of a commit from
 * running. `mark` is put where it breaks them; it has to be one that does not show.
 */
export function neutralizeReferences(text: string, mark: string): string {
  return neutralizeNames(neutralizeCommands(text, mark), mark);
}

/** Mentions and issues. */
export function neutralizeNames(text: string, mark: string): string {
  return text
    .replace(/@(?=[a-z0-9&])/giu, `@${mark}`)
    .replace(/#(?=\d)/g, `#${mark}`)
    .replace(/(?<![a-z0-9])(GH\\?-)(?=\d)/giu, `$1${mark}`);
}

/**
 * An issue's address behind a closing word closes it too, so whatever is no word may stand between them, also the end of a link:
 * https://docs.github.com/en/issues/tracking-your-work-with-issues/using-issues/linking-a-pull-request-to-an-issue
 * The words that skip checks: https://docs.github.com/en/actions/how-tos/manage-workflow-runs/skip-workflow-runs
 */
export function neutralizeCommands(text: string, mark: string): string {
  return text
    .replace(closingWord, `$1${mark}`)
    .replace(/\[(?=\s*(?:(?:skip|no)\s+ci|ci\s+skip|skip\s+actions|actions\s+skip)\s*\])/gi, `[${mark}`)
    .replace(/(skip)(?=-checks\s*:)/gi, `$1${mark}`);
}

const closingWord =
  /(?<![a-z0-9])(close[sd]?|fix(?:e[sd])?|resolve[sd]?)(?![a-z0-9\u200B])(?=[^a-z0-9]*(?:https?(?:\\?:|&)|(?<=&#?)[a-z0-9]+;)|[^a-z0-9\]]*\][([])/giu;

/**
 * Decodes character references outside of code. One for a character that mentions and issues are written with becomes that character with
 * the mark behind it, so that neither it nor its neighbours refer to anything. The others stay, because the character itself might be
 * Markdown; a decimal one is written in hexadecimal, because its number looks like that of an issue.
 * https://spec.commonmark.org/0.31.2/#entity-and-numeric-character-references
 */
export function decodeCharacterReferences(text: string, mark: string): string {
  return text.replace(characterReference, (whole, decimal?: string, hexadecimal?: string, name?: string) => {
    const shown = read({ decimal, hexadecimal, name });
    if (shown !== undefined && isReferring(shown)) return shown + mark;
    return decimal === undefined ? whole : `&#x${Number(decimal).toString(16)};`;
  });
}

/** Quiets character references in what may be code, where they show as they are written: they stay, and mean nothing. */
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
