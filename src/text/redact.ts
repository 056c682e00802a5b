export type Redactor = ReturnType<typeof createRedactor>;

const shortest = 8;

/** For what logs nothing, such as a command. */
export const noRedaction = { hide: () => {}, forget: () => {} };

/** Hides known secrets by exact value, so that the format of a token does not matter. */
export function createRedactor(secrets: string[] = []) {
  const secretForms = new Map<string, string[]>();
  /** Adds a secret with its base64, hexadecimal, URL-encoded, JSON-escaped and reversed forms. Ignores secrets under 8 characters. */
  const hide = (secret: string) => {
    if (secret.length >= shortest) secretForms.set(secret, formsOf(secret));
  };
  for (const secret of secrets) hide(secret);
  return {
    hide,
    forget: (secret: string) => void secretForms.delete(secret),
    redact(text: string): string {
      let clean = text;
      for (const forms of secretForms.values()) {
        for (const form of forms) clean = clean.replaceAll(form, '[secret]');
      }
      return clean;
    },
  };
}

function formsOf(secret: string): string[] {
  const base64 = Buffer.from(secret)
    .toString('base64')
    .replace(/={1,2}$/, '');
  // git's Basic auth of `x-access-token:<token>` shifts the base64 of the token.
  const basic = Buffer.from(`x-access-token:${secret}`)
    .toString('base64')
    .replace(/={1,2}$/, '');
  // Within a longer text, it is one of three, without the characters that its neighbours decide.
  const within = [0, 1, 2].map((shift) => {
    const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)]);
    return bytes.toString('base64').slice(Math.ceil((shift * 8) / 6), Math.floor((bytes.length * 8) / 6));
  });
  const hex = Buffer.from(secret).toString('hex');
  const pemLines = secret.split('\n').filter((line) => line.length > 40);
  const forms = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    base64,
    base64.replaceAll('+', '-').replaceAll('/', '_'),
    basic,
    ...within.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]),
    hex,
    hex.toUpperCase(),
    [...secret].reverse().join(''),
    ...pemLines,
  ];
  // Longest first, because one form may contain another.
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}
