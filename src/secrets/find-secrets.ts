import { lintSource } from '@secretlint/core';
import { secretLintProfiler } from '@secretlint/profiler';
import { rules as presetRules } from '@secretlint/secretlint-rule-preset-recommend';
import { listHidden } from './list-hidden.ts';

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
