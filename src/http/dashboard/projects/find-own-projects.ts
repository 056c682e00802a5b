import type { Person } from '../../../github/calls/people-calls.ts';
import type { Log } from '../../../log.ts';
import type { Roles } from '../../../projects/roles.ts';
import { listProjectActivity, type ProjectActivity } from '../../../store/lists/list-project-activity.ts';
import type { Visit } from '../people/page-routes.ts';

/** Each may cost a request to GitHub. */
const mostAsked = 100;
const askedAtOnce = 10;

export interface OwnProjects {
  projects: ProjectActivity[];
  /** How many projects GitHub gave no answer about. */
  unknown: number;
  /** Where the next page begins; null: this is the last one. */
  next: string | null;
}

/** The projects that a person may write to, among the next hundred: those where something goes on first, then by name. */
export async function findOwnProjects(options: {
  person: Person;
  /** Only projects whose name contains it, in any case. */
  text: string;
  after: string | undefined;
  roles: Roles;
  signal: AbortSignal;
  withStore: Visit['withStore'];
  log: Log;
}): Promise<OwnProjects> {
  const { person, text, after, roles, signal, withStore, log } = options;
  const listed = await withStore(({ database }) =>
    listProjectActivity(database, { text, after, limit: mostAsked + 1 }),
  );
  const asked = listed.slice(0, mostAsked);
  const last = asked.at(-1);
  const own: ProjectActivity[] = [];
  let unknown = 0;
  for (let start = 0; start < asked.length; start += askedAtOnce) {
    await Promise.all(
      asked.slice(start, start + askedAtOnce).map(async (activity) => {
        try {
          if ((await roles.find({ project: activity.project, person, signal })) !== 'none') own.push(activity);
        } catch (error) {
          unknown += 1;
          log.warn({ err: error, projectId: activity.project.project_id }, 'GitHub did not say what a person may do');
        }
      }),
    );
  }
  const isQuiet = ({ project, activeJobs, reviewJobs, failedJobs }: ProjectActivity) =>
    activeJobs + reviewJobs + failedJobs + project.settings_problems.length === 0;
  own.sort((one, other) => Number(isQuiet(one)) - Number(isQuiet(other)) || (one.sortKey < other.sortKey ? -1 : 1));
  return { projects: own, unknown, next: listed.length > mostAsked && last ? last.sortKey : null };
}
