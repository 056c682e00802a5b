import type { Redactor } from '../../text/redact.ts';

/**
 * Says where files that a run writes, or their names, hold a secret of this service, in any form that the redactor knows: whether or not a
 * page of the base shows it.
 */
export function findOwnSecrets(
  writes: Iterable<readonly [path: string, bytes: Uint8Array | null]>,
  { redact }: { redact: Redactor['redact'] },
): string[] {
  const holds = (text: string) => redact(text) !== text;
  return Array.from(writes).flatMap(([path, bytes]) => {
    const isNamed = holds(path);
    return [
      ...(isNamed ? ['the name of a file: a secret of this service'] : []),
      ...(holds(Buffer.from(bytes ?? []).toString())
        ? [`${isNamed ? 'that file' : path}: a secret of this service`]
        : []),
    ];
  });
}
