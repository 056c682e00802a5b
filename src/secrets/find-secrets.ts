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
  // No format of a key: every example of a connection string has these.
  'basicauth',
  'database-connection-string',
].map(ruleId);

const settings: Record<string, object> = {
  // An account's number is no secret.
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
 * Finds keys whose format their issuer documents, by secretlint's rules, also as Base64. Needs no network. Linear time, about 10 ms per MB.
 */
export async function findSecrets(text: string): Promise<Secret[]> {
  const encoded = listEncoded(text);
  const decoded = encoded.map(({ decoded }) => decoded);
  // Each on lines of its own, so that a line of the joined texts tells its part.
  const inside = decoded.length === 0 ? [] : await findPlain(decoded.join('\n'));
  const lines = decoded.flatMap((part, index) => part.split('\n').map(() => index));
  const hidden = inside.flatMap((secret) => {
    const part = encoded[lines[secret.line - 1] ?? -1];
    return part === undefined ? [] : [{ ...secret, value: part.value, line: part.line }];
  });
  return [
    ...(await findPlain(text)),
    ...new Map(hidden.map((secret) => [`${secret.line} ${secret.value}`, secret])).values(),
  ];
}

interface Encoded {
  value: string;
  line: number;
  decoded: string;
}

/** The shortest known keys have twenty characters. */
const base64 = /[A-Za-z0-9+/_-]{27,}={0,2}/g;
const isPrintable = /^[\t\n\r -~]+$/;

/** What is Base64 of text. */
function listEncoded(text: string): Encoded[] {
  const found: Encoded[] = [];
  let line = 1;
  let from = 0;
  for (const { 0: value, index } of text.matchAll(base64)) {
    for (let at = text.indexOf('\n', from); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line += 1;
    from = index;
    const decoded = Buffer.from(value, 'base64').toString('latin1');
    if (isPrintable.test(decoded)) found.push({ value, line, decoded });
  }
  return found;
}

async function findPlain(text: string): Promise<Secret[]> {
  const { messages } = await lintSource({
    source: { content: text, filePath: 'text', ext: '', contentType: 'text' },
    options: { config: { rules }, noPhysicFilePath: true, maskSecrets: true },
  });
  const found = new Map<string, Secret>();
  for (const { messageId, range, loc } of messages) {
    const value = text.slice(...range);
    const secret = { kind: toWords(messageId), value, line: loc.start.line, isHarmless: harmless.includes(messageId) };
    found.set(`${range}`, secret);
  }
  return [...found.values()];
}

/** `GITHUB_TOKEN` and `PrivateKey` become `github token` and `private key`. */
function toWords(messageId: string): string {
  return messageId
    .replaceAll('_', ' ')
    .replace(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
    .toLowerCase();
}
