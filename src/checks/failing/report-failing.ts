import { intendAnswer } from '../../effects/answer.ts';
import { acceptMessage } from '../../jobs/add-message.ts';
import { contextOf } from '../../jobs/answer-run.ts';
import { readStoredSettings } from '../../repository/settings.ts';
import { inTransaction } from '../../store/store.ts';
import { type Job, lockJob } from '../../store/tables/jobs/jobs.ts';
import { countRounds, findMessageBySource } from '../../store/tables/jobs/messages.ts';
import { findLastPush } from '../../store/tables/jobs/runs.ts';
import { lockProject, type Project } from '../../store/tables/repositories/projects.ts';
import { neutralizeBounded } from '../../text/neutralize/neutralize-markdown.ts';
import { writeCode } from '../../text/neutralize/write-code.ts';
import type { CheckParts } from '../check-parts.ts';
import type { FailingCheck } from './judge-checks.ts';

interface Failing {
  project: Project;
  job: Job;
  sha: string;
  failing: readonly FailingCheck[];
  /** Asks GitHub what they say. */
  readReport: () => Promise<string>;
}

/**
 * Makes one message of the failing checks of a head, or says once that they still fail: after so many rounds, a person has to speak. Idempotent by
 * the commit.
 */
export async function reportFailing(
  parts: CheckParts,
  { project, job, sha, failing, readReport }: Failing,
): Promise<void> {
  const { database, limits, takeStep, log } = parts;
  const { job_id: jobId } = job;
  const sourceKey = `checks:${sha}`;
  if (await findMessageBySource(database, { jobId, sourceKey })) return;
  const isLast = (await countRounds(database, jobId)).rounds >= roundsOf(project);
  const report = isLast ? '' : await readReport();
  await takeStep({ step: 'report checks', jobId }, () =>
    inTransaction(parts, async (store) => {
      const { tx } = store;
      const stored = await lockProject(tx, project.project_id);
      if (!stored) return;
      const locked = await lockJob(tx, jobId);
      if (locked.status === 'archived' || (await findLastPush(tx, jobId)) !== sha) return;
      const { rounds, since } = await countRounds(tx, jobId);
      const names = failing.map(({ name }) => name);
      const number = locked.pull_request_number;
      if (rounds >= roundsOf(stored) || report === '') {
        // After a person's message, rounds count from zero, and the comment may be posted again.
        const answer = { kind: 'comment', pullRequest: number ?? 0, body: writeLeft(names, rounds, locked) } as const;
        if (number !== null && rounds > 0) await intendAnswer(store, { jobId, key: `checks:left:${since}`, answer });
        return;
      }
      const message = {
        jobId,
        source: 'checks' as const,
        sourceKey,
        author: 'checks',
        prompt: writePrompt(names.length, locked.base),
        context: { checks: { sha, names: names.slice(0, maxNames), report } },
      };
      const result = await acceptMessage(store, locked, message, limits);
      log.info({ jobId, sha, failing: names.length, result: result.kind }, 'checks fail');
    }),
  );
}

const maxNames = 20;

const roundsOf = ({ settings }: Project): number => readStoredSettings(settings).fix_checks;

const writePrompt = (count: number, base: string): string =>
  count === 1
    ? `A check of this pull request fails, and not on ${base}. Correct what it reports.`
    : `${count} checks of this pull request fail, and not on ${base}. Correct what they report.`;

/** The names come from the repository and other Apps: they are shown as code. */
function writeLeft(names: readonly string[], rounds: number, job: Job): string {
  const shown = names.slice(0, 10).map(writeCode);
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  const tries = rounds === 1 ? 'one try' : `${rounds} tries`;
  const text = `After ${tries}, ${names.length === 1 ? 'this check still fails' : 'these checks still fail'}: ${shown.join(', ')}${more}. Pagewright does not try again until somebody comments.`;
  return neutralizeBounded(text, 4_000, contextOf(job));
}
