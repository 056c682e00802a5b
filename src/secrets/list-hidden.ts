/** A part of a text as a reader, a build or a shell decodes it. */
interface HiddenText {
  /** As written. */
  value: string;
  /** Counted from 1. */
  line: number;
  decoded: string;
}

/** The shortest known keys have twenty characters. */
const base64 = /[A-Za-z0-9+/_-]{27,}={0,2}/g;
const isPrintable = /^[\t\n\r -~]+$/;
const word = /[\w+/.=:-]{20,}/g;

/** Escapes of JSON, JavaScript, Markdown, HTML and URLs. */
const escaped =
  /\\u([\da-fA-F]{4})|\\x([\da-fA-F]{2})|\\([_.+=/-])|&#[xX]([\da-fA-F]{1,6});|&#(\d{1,7});|%([\da-fA-F]{2})/;
/**
 * Parts that readers do not see, or that join two strings: a line break with the marks of a quotation, a comment or a shell around it; the end of a
 * string and the start of the next; HTML that shows nothing.
 */
const joint =
  /(?:\\[nr]){0,2}["'`][\s+.\\]{0,80}["'`]|[ \t]{0,80}\\?\r?\n[ \t]{0,80}(?:(?:[>#*|;]|\/\/)[ \t]{0,80}){0,4}|<[wW][bB][rR] ?\/?>|&(?:shy|ZeroWidthSpace);|<!--[^>]{0,200}-->|\*{2,4}/;
const change = new RegExp(`${escaped.source}|(?:${joint.source})(?=[\\w+/.=\\\\&%-])`, 'g');
const beforeJoint = /[\w+/.= -]/;
/** Some formats include other text on the line of the key. */
const besideCharacters = 60;

/** Texts that are encoded as Base64, escaped, or broken into pieces, and long enough for a key. */
export function listHidden(text: string): HiddenText[] {
  const joined = listJoined(text);
  const inside = joined.flatMap((part) => listBase64(part.decoded).map(({ decoded }) => ({ ...part, decoded })));
  return [...listBase64(text), ...joined, ...inside];
}

function listBase64(text: string): HiddenText[] {
  const countLine = createLineCount(text);
  return Array.from(text.matchAll(base64)).flatMap(({ 0: value, index }) => {
    const decoded = Buffer.from(value, 'base64').toString('latin1');
    return isPrintable.test(decoded) ? [{ value, line: countLine(index), decoded }] : [];
  });
}

/** The words with an escape or a joint inside, without these. */
function listJoined(text: string): HiddenText[] {
  const { plain, places } = join(text);
  if (places.length === 0) return [];
  const countLine = createLineCount(text);
  const found: HiddenText[] = [];
  let next = 0;
  for (const { 0: joined, index } of plain.matchAll(word)) {
    const end = index + joined.length;
    while ((places[next]?.at ?? end) < index) next += 1;
    const first = next;
    while ((places[next]?.at ?? end) < end) next += 1;
    if (next === first) continue;
    const toSource = (at: number, place: Place | undefined) =>
      place === undefined ? at : at - place.at + place.source;
    const start = toSource(index, places[first - 1]);
    found.push({
      value: text.slice(start, toSource(end, places[next - 1])),
      line: countLine(start),
      decoded: plain.slice(Math.max(0, index - besideCharacters), end + besideCharacters),
    });
  }
  return found;
}

/** The place after a joint or an escape, in both texts. */
interface Place {
  at: number;
  source: number;
}

function join(text: string): { plain: string; places: Place[] } {
  const parts: string[] = [];
  const places: Place[] = [];
  let length = 0;
  let from = 0;
  for (const match of text.matchAll(change)) {
    const plain = decode(match);
    if (plain === '' && !beforeJoint.test(text[match.index - 1] ?? '')) continue;
    const part = text.slice(from, match.index) + plain;
    parts.push(part);
    length += part.length;
    from = match.index + match[0].length;
    places.push({ at: length, source: from });
  }
  return { plain: parts.join('') + text.slice(from), places };
}

/** Joints are removed. */
function decode([written, json, script, markdown, hex, decimal, percent]: RegExpExecArray): string {
  if (markdown !== undefined) return markdown;
  const digits = json ?? script ?? hex ?? percent;
  if (digits === undefined && decimal === undefined) return '';
  const code = digits === undefined ? Number(decimal) : Number.parseInt(digits, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : written;
}

/** The places must be in order. */
function createLineCount(text: string): (index: number) => number {
  let line = 1;
  let from = 0;
  return (index) => {
    for (let at = text.indexOf('\n', from); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line += 1;
    from = Math.max(from, index);
    return line;
  };
}
