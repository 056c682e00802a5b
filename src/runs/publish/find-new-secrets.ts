import type { Finish } from '../../agent/finish.ts';
import type { Secret } from '../../secrets/find-secrets.ts';
import { grepPages } from '../../workspace/policy/pages/grep-pages.ts';
import type { CheckedOutRun } from '../run-context.ts';

/** What a run would publish. `place` is for people, such as `docs/index.md`. */
interface Published {
  place: string;
  text: string;
}

/** More are taken as new, because each one costs a search. */
const maxSearched = 20;

/**
 * Says where the write set and `texts` hold keys that no page of the base shows, one phrase each, such as `docs/setup.md, line 3: a github
 * token`. Nothing of a key is in it.
 */
export async function findNewSecrets(
  { parts, run, checkout }: CheckedOutRun,
  { texts, signal }: { texts: readonly Published[]; signal: AbortSignal },
): Promise<string[]> {
  const scan = (text: string) => parts.scanText(text, { signal, owner: run.run_id });
  const isNew = createNewnessTest({
    git: parts.git,
    gitDir: checkout.mirror.directory,
    sha: checkout.base.filesSha,
    signal,
  });

  async function findIn({ place, text }: Published, describe: (secret: Secret) => string): Promise<string[]> {
    const found: string[] = [];
    for (const secret of await scan(text)) {
      if (await isNew(secret.value)) found.push(`${place}${describe(secret)}: a ${secret.kind}`);
    }
    return found;
  }

  const found: string[] = [];
  for (const [path, bytes] of checkout.workspace.writes()) {
    const inName = await findIn({ place: 'the name of a file', text: path }, () => '');
    const place = inName.length === 0 ? path : 'that file';
    const text = Buffer.from(bytes ?? []).toString();
    found.push(...inName, ...(await findIn({ place, text }, ({ line }) => `, line ${line}`)));
  }
  for (const text of texts) found.push(...(await findIn(text, () => '')));
  return [...new Set(found)];
}

/** What the agent says, before it becomes the pull request, the commit and the answers. */
export function listFinishTexts({
  summary,
  title = '',
  subject = '',
  description = '',
  replies = [],
}: Finish): Published[] {
  return [
    { place: 'the summary', text: summary },
    { place: 'the title', text: title },
    { place: 'the subject', text: subject },
    { place: 'the description', text: description },
    ...replies.map(({ text }) => ({ place: 'a reply', text })),
  ];
}

type Commit = Parameters<typeof grepPages>[0];

/** What a page of the base shows is published already, examples above all. */
function createNewnessTest(commit: Commit): (value: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  return async (value) => {
    if (!known.has(value) && known.size >= maxSearched) return true;
    const isKnown = known.get(value) ?? isInPages(commit, value);
    known.set(value, isKnown);
    return !(await isKnown);
  };
}

/** Of a key of several lines, the longest stands for all. */
async function isInPages(commit: Commit, value: string): Promise<boolean> {
  const longest = value.split('\n').reduce((one, other) => (other.length > one.length ? other : one));
  return (await grepPages(commit, ['-F', '-l', '-f', '-'], longest)) !== '';
}
