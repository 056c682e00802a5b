import type { AgentEnd } from '../../agent/run-agent.ts';
import type { Publication } from '../publication.ts';
import type { CheckedOutRun } from '../run-context.ts';
import type { MadeCommit } from './make-commit.ts';

/** The run ends without a change to publish. */
export function publishNothing({ code, sentence }: { code: string; sentence: string }): Publication {
  const end = { outcome: 'failed' as const, code, sentence };
  return { end, summary: sentence, replies: [], allowedHosts: [], limit: null, change: null, unseen: null };
}

export const conflictsRemain = (paths: string[], limit: string | null): Publication =>
  publishNothing({
    code: 'conflict',
    sentence: `${limit ? `${limit} ` : ''}The agent did not resolve the conflicts with the base branch in ${paths.join(', ')}, so Pagewright published nothing. Merge the base branch by hand, or ask again.`,
  });

const maxShownSecrets = 5;

export function secretFound(places: string[]): Publication {
  const more = places.length > maxShownSecrets ? [`${places.length - maxShownSecrets} more`] : [];
  const shown = [...places.slice(0, maxShownSecrets), ...more].join('; ');
  return publishNothing({
    code: 'secret_found',
    sentence: `The change contains text that looks like a secret, so Pagewright published nothing (${shown}). Ask again with a placeholder. If it is a real key, revoke it.`,
  });
}

/** Says no name: the sentence is posted where the names may not appear. */
export function privateNamed(places: string[]): Publication {
  return publishNothing({
    code: 'private_named',
    sentence: `The change names a repository that not all readers of the documentation may see, so Pagewright published nothing (in ${places.length === 1 ? '1 place' : `${places.length} places`}). Ask again for a text without it.`,
  });
}

/** Nothing differs from what is published. */
export function endUnchanged(
  end: AgentEnd,
  texts: { summary: string; replies: Publication['replies']; unseen: string | null; allowedHosts: string[] },
): Publication {
  if (end.kind === 'limit') return publishNothing({ code: `limit_${end.limit}`, sentence: end.sentence });
  const unchanged = { outcome: 'completed' as const, code: 'unchanged', sentence: 'Nothing needed to change.' };
  return { ...texts, end: unchanged, limit: null, change: null };
}

/** The outcome `published`, or the limit that ended the work. */
export function endChanged(context: CheckedOutRun, end: AgentEnd, made: MadeCommit): Publication['end'] {
  const published = `${describeChange(context, made)} published in the pull request.`;
  if (end.kind === 'finished') return { outcome: 'completed', code: 'published', sentence: published };
  const sentence = `${end.sentence} ${published}`;
  return { outcome: 'completed', code: `limit_${end.limit}`, sentence };
}

function describeChange({ job, checkout }: CheckedOutRun, made: MadeCommit): string {
  const files = made.kind === 'made' ? made.changedFiles : 0;
  const changed = files === 1 ? '1 changed file' : `${files} changed files`;
  const isMerge = checkout.base.mergedBaseSha !== null;
  if (files > 0) return `${changed}${isMerge ? `, with ${job.base} merged in,` : ''} ${files === 1 ? 'was' : 'were'}`;
  return isMerge ? `The merge of ${job.base} was` : 'The changes of an earlier run were';
}
