import { createHash } from 'node:crypto';
import type { ProjectFeed } from '../../../../job-feed/project-feed.ts';
import type { JobRow } from '../../../../jobs/list-job-rows.ts';
import type { Log } from '../../../../log.ts';
import { pause } from '../../../../pause.ts';

/** A busy project has many changes a second; a page needs one of them. */
const paceMs = 500;

/** A hash of the shown fields of a list: equal for equal lists. */
export function fingerprint(rows: readonly JobRow[]): string {
  const shown = rows.map(({ job, verdict, problems }) => [
    ...[job.job_id, job.status, job.archive_reason],
    ...[job.pull_request_number, job.pull_request_title],
    ...[job.changed_files, job.additions, job.deletions, verdict, problems],
  ]);
  return createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 22);
}

/**
 * Yields an event for each new version of a list, beginning with the first one that differs from `seen`. Its id is the list's
 * fingerprint, so a reader that resumes misses nothing. Waits while the database is down.
 */
export function createListFollower({ feed, log }: { feed: ProjectFeed; log: Log }) {
  /** By list and number of the feed: readers of the same list share a query. */
  const reads = new Map<string, Promise<string>>();

  return async function* follow(options: {
    projectId: string;
    /** Identifies the list in the project. */
    list: string;
    seen: string | undefined;
    read: () => Promise<readonly JobRow[]>;
    signal: AbortSignal;
  }): AsyncGenerator<string> {
    const { projectId, list, seen, read, signal } = options;
    let last = seen;
    for await (const version of feed.watch({ projectId, signal })) {
      const place = JSON.stringify([projectId, list, version]);
      const reading = reads.get(place) ?? read().then(fingerprint);
      reads.set(place, reading);
      try {
        const found = await reading;
        if (found !== last) yield `id: ${found}\nevent: jobs.changed\ndata: {}\n\n`;
        last = found;
      } catch (error) {
        // The feed reports the next version soon.
        log.warn({ err: error, projectId }, 'could not read the jobs of a list');
      } finally {
        reads.delete(place);
      }
      await pause(paceMs, signal).catch(() => {});
    }
  };
}
