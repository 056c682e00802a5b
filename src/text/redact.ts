/** Hides known secrets in text. It knows exact values, not patterns: a new token format cannot slip through. */
export interface Redactor {
  /** Learns a secret, with its base64, URL-encoded, JSON-escaped and reversed forms. Shorter than 8 characters is ignored. */
  hide(secret: string): void;
  /** Forgets one that `hide` learned, once it is worth nothing (an expired token), so that the list stays short. */
  forget(secret: string): void;
  redact(text: string): string;
}

const shortest = 8;

/**
 * A redactor that knows `secrets` from the start. What it knows is its own: text is clean only if it went through a redactor that had
 * learned the secret before.
 */
export function createRedactor(secrets: string[] = []): Redactor {
  const known = new Map<string, string[]>();
  const hide = (secret: string) => {
    if (secret.length >= shortest) known.set(secret, formsOf(secret));
  };
  for (const secret of secrets) hide(secret);
  return {
    hide,
    forget: (secret) => void known.delete(secret),
    redact(text) {
      let clean = text;
      for (const forms of known.values()) {
        for (const form of forms) clean = clean.replaceAll(form, '[secret]');
      }
      return clean;
    },
  };
}

function formsOf(secret: string): string[] {
  const base64 = Buffer.from(secret).toString('base64').replace(/=+$/, '');
  // As git sends it: Basic auth of `x-access-token:<token>` shifts the base64 of the token itself.
  const basic = Buffer.from(`x-access-token:${secret}`).toString('base64').replace(/=+$/, '');
  const forms = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    base64,
    base64.replaceAll('+', '-').replaceAll('/', '_'),
    basic,
    Buffer.from(secret).toString('hex'),
    [...secret].reverse().join(''),
    // A PEM key is also recognised by any of its lines.
    ...secret.split('\n').filter((line) => line.length > 40),
  ];
  // Longest first, so that a form inside another leaves nothing behind.
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}
