import type { Finish } from '../../agent/finish.ts';
import { prosePathspecs } from '../../docs/page-extensions.ts';
import { grepFiles } from '../../git/grep-files.ts';
import type { Secret } from '../../secrets/find-secrets.ts';
import type { Redactor } from '../../text/redact.ts';
import { type CheckedOutRun, inMirror } from '../run-context.ts';

/** A text that a run would publish. `place` is for people, such as `docs/index.md`. */
interface Published {
  place: string;
  text: string;
}

/** Any more count as new, because each one costs a search. */
const maxSearched = 20;

/**
 * Says where the write set and `texts` contain keys that no page of the base shows, one phrase each, such as `docs/setup.md, line 3: a github
 * token`. No phrase contains a part of a key.
 */
export async function findNewSecrets(
  context: CheckedOutRun,
  { texts, signal }: { texts: readonly Published[]; signal: AbortSignal },
): Promise<string[]> {
  const { parts, run, checkout } = context;
  const scan = (text: string) => parts.scanText(text, { signal, owner: run.run_id });
  const isNew = createNewnessTest((value) => isInPages(context, value, signal));

  async function findIn({ place, text }: Published, describe: (secret: Secret) => string): Promise<string[]> {
    const found: string[] = [];
    // Most of the texts of a finish are left out.
    if (text === '') return found;
    for (const secret of await scan(text)) {
      if (await isNew(secret.value)) found.push(`${place}${describe(secret)}: a ${secret.kind}`);
    }
    return found;
  }

  // In `texts` they are hidden, as everywhere.
  const found = findOwnSecrets(checkout.workspace.writes(), parts.redactor);
  for (const [path, bytes] of checkout.workspace.writes()) {
    const inName = await findIn({ place: 'the name of a file', text: path }, () => '');
    const place = inName.length === 0 && parts.redactor.redact(path) === path ? path : 'that file';
    const text = Buffer.from(bytes ?? []).toString();
    found.push(...inName, ...(await findIn({ place, text }, ({ line }) => `, line ${line}`)));
  }
  for (const text of texts) found.push(...(await findIn(text, () => '')));
  return [...new Set(found)];
}

/** The texts of the agent, before they become the pull request, the commit and the answers. */
export function listFinishTexts(options: Finish): Published[] {
  const { summary, title = '', subject = '', description = '', replies = [], explained = [], evidence = [] } = options;
  return [
    { place: 'the summary', text: summary },
    { place: 'the title', text: title },
    { place: 'the subject', text: subject },
    { place: 'the description', text: description },
    ...replies.map(({ text }) => ({ place: 'a reply', text })),
    ...explained.map(({ why }) => ({ place: 'an explanation', text: why })),
    ...evidence.map(({ claim }) => ({ place: 'a claim of the evidence', text: claim })),
  ];
}

/** A key on a page of the base is published already; most are examples. */
function createNewnessTest(isPublished: (value: string) => Promise<boolean>): (value: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  return async (value) => {
    if (!known.has(value) && known.size >= maxSearched) return true;
    const isKnown = known.get(value) ?? isPublished(value);
    known.set(value, isKnown);
    return !(await isKnown);
  };
}

/** Whether a page of the base has the text. Searches only for its longest line. */
export async function isInPages(
  context: CheckedOutRun,
  text: string,
  signal: AbortSignal,
  flags: readonly string[] = [],
): Promise<boolean> {
  const longest = text.split('\n').reduce((one, other) => (other.length > one.length ? other : one));
  const commit = { ...inMirror(context, signal), sha: context.checkout.base.filesSha };
  const search = { pathspecs: prosePathspecs, stdin: longest };
  return (await grepFiles(commit, ['-F', ...flags, '-l', '-f', '-'], search)) !== '';
}

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
