import type { ChangeReader } from '../context/changes/create-change-reader.ts';
import type { GitHubApp } from '../github/auth/app.ts';
import type { Secrets } from '../github/auth/open-access.ts';
import type { ProjectLimits } from '../jobs/count-against-limits.ts';
import type { Log } from '../log.ts';
import type { OpenProject } from '../projects/open-project.ts';
import type { Store, StoreTx } from '../store/store.ts';
import { findProjectByRepository, type Project } from '../store/tables/repositories/projects.ts';
import { readCommentInThread } from '../text/read-in-thread.ts';
import type { ReadComment } from '../text/read-visible.ts';
import { type RunTask, runFor, type Threads } from '../threads/threads.ts';
import type { Timing } from '../timing.ts';
import type { WriteAccess } from './instructions/write-access.ts';
import type { CommonFields } from './payload.ts';

export interface DeliveryParts extends Store, WriteAccess {
  threads: { run: Threads['run'] };
  github: GitHubApp;
  secrets: Secrets;
  openProject: OpenProject;
  changes: ChangeReader;
  timing: Timing;
  /** Instructions on GitHub have no rate limit of ours. */
  limits: ProjectLimits;
  /** The first is the service's own. */
  models: readonly [string, ...string[]];
  log: Log;
}

interface ReceivedDelivery<Fields extends CommonFields> {
  deliveryId: string;
  fields: Fields;
  /** By this machine's clock. */
  receivedAt: Date;
  signal: AbortSignal;
}

/** Built once per delivery, and passed on whole. */
export interface DeliveryContext<Fields extends CommonFields = CommonFields>
  extends DeliveryParts,
    ReceivedDelivery<Fields> {
  /** The project of the delivery's repository, unless it is removed. Read once. */
  findProject(): Promise<Project | undefined>;
  /** Needs the App's name, from GitHub. The reader parses each body once. */
  commentReader(): Promise<(body: string) => Promise<ReadComment>>;
  /** Runs slow work in a thread, one task of the repository at a time. */
  runTask: RunTask;
}

/** Runs in the transaction that marks the delivery done. Returns why nothing changed, or when to process the delivery again. */
export type Apply = (store: StoreTx) => Promise<string | Date | undefined>;

export const ignoredBecause = {
  noProject: 'the repository is not a project',
  noJob: 'not a pull request of a job',
  noWriteAccess: 'written by somebody without write access',
} as const;

export function createDeliveryContext<Fields extends CommonFields>(
  parts: DeliveryParts,
  delivery: ReceivedDelivery<Fields>,
): DeliveryContext<Fields> {
  const { repository } = delivery.fields;
  const comments = new Map<string, Promise<ReadComment>>();
  // Comments of one repository, however many, occupy one thread at most.
  const runTask = runFor(parts.threads, repository ? `repository ${repository.id}` : delivery.deliveryId);
  let project: Promise<Project | undefined> | undefined;
  return {
    ...parts,
    ...delivery,
    runTask,
    findProject() {
      project ??= repository ? findActiveProject(parts, repository.id) : Promise.resolve(undefined);
      return project;
    },
    async commentReader() {
      const { slug } = await parts.github.fetchApp(delivery.signal);
      return (body) => {
        const parsed = comments.get(body) ?? readCommentInThread({ body, appSlug: slug }, runTask, delivery.signal);
        comments.set(body, parsed);
        return parsed;
      };
    },
  };
}

async function findActiveProject({ database }: DeliveryParts, repositoryId: number): Promise<Project | undefined> {
  const project = await findProjectByRepository(database, repositoryId);
  return project?.removed_at ? undefined : project;
}
