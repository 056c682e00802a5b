import { lintSource } from '@secretlint/core';
import { secretLintProfiler } from '@secretlint/profiler';
import { rules as presetRules } from '@secretlint/secretlint-rule-preset-recommend';

export interface Secret {
  /** The key's format in plain words, such as `github token`. Safe to publish. */
  kind: string;
  value: string;
  /** Counted from 1. */
  line: number;
  /** Worth nothing to a thief: a key of a test environment, an id without its key. */
  isHarmless: boolean;
}

const ruleId = (name: string) => `@secretlint/secretlint-rule-${name}`;

const unwanted = [
  // Comments in the text could switch the rules off.
  'filter-comments',
  // Not a key: every example of a connection string has these.
  'basicauth',
  'database-connection-string',
].map(ruleId);

const settings: Record<string, object> = {
  // An account's number is not secret.
  [ruleId('aws')]: { options: { enableIDScanRule: true }, allowMessageIds: ['AWSAccountID'] },
  // A placeholder: tokens have digits.
  [ruleId('slack')]: { options: { allows: ['/^\\D+$/'] } },
};

const rules = presetRules
  .filter(({ meta }) => !unwanted.includes(meta.id))
  .map((rule) => ({ id: rule.meta.id, rule, ...settings[rule.meta.id] }));

// Otherwise it keeps some measures of each scan for as long as the process lives.
secretLintProfiler.setEnabled(false);

const harmless = ['STRIPE_SECRET_KEY_TEST', 'AWSAccessKeyID'];

/**
 * Finds keys whose format their issuer documents, by secretlint's rules, also as Base64, escaped and broken into pieces. Needs no network.
 * Linear time, about 100 ms per MB.
 */
export async function findSecrets(text: string): Promise<Secret[]> {
  const plain = await findPlain(text);
  const parts = listHidden(text);
  if (parts.length === 0) return plain;
  // Each on lines of its own, so that a line of the joined texts tells its part.
  const inside = await findPlain(parts.map(({ decoded }) => decoded).join('\n'));
  const lines = parts.flatMap((part) => part.decoded.split('\n').map(() => part));
  const known = plain.map(({ value }) => withoutBlanks(value));
  const hidden = inside.flatMap((secret) => {
    const part = lines[secret.line - 1];
    const isPlain = known.some((value) => withoutBlanks(secret.value).includes(value));
    return part === undefined || isPlain ? [] : [{ ...secret, value: part.value, line: part.line }];
  });
  return [...plain, ...new Map(hidden.map((secret) => [`${secret.line} ${secret.value}`, secret])).values()];
}

const withoutBlanks = (text: string): string => text.replace(/\s+/g, '');

async function findPlain(text: string): Promise<Secret[]> {
  const { messages } = await lintSource({
    source: { content: text, filePath: 'text', ext: '', contentType: 'text' },
    options: { config: { rules }, noPhysicFilePath: true, maskSecrets: true },
  });
  const found = new Map<string, Secret>();
  for (const { messageId, range, loc } of messages) {
    const value = text.slice(...range);
    if (isExample(value)) continue;
    const secret = { kind: toWords(messageId), value, line: loc.start.line, isHarmless: harmless.includes(messageId) };
    found.set(`${range}`, secret);
  }
  return [...found.values()];
}

/** `ghp_xxxx…`: no issuer draws one or two letters sixteen times. */
const isExample = (value: string): boolean => value.length > 16 && new Set(value.slice(-16)).size <= 2;

/** `GITHUB_TOKEN` and `PrivateKey` become `github token` and `private key`. */
function toWords(messageId: string): string {
  return messageId
    .replaceAll('_', ' ')
    .replace(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
    .toLowerCase();
}

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
function listHidden(text: string): HiddenText[] {
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
