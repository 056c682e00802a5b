import type { GitHubApp } from '../github/auth/app.ts';
import type { Log } from '../log.ts';
import type { OpenProject } from '../projects/open-project.ts';
import type { Store, StoreTx } from '../store/store.ts';
import type { DeliveryFields } from '../store/tables/delivery-fields.ts';
import { findProjectByRepository, type Project } from '../store/tables/projects.ts';
import { type ReadComment, readComment } from '../text/read-comment.ts';
import type { MayPrompt } from './instructions/may-prompt.ts';

/** The parts of the service that deliveries and reconciliation use. */
export interface DeliveryParts extends Store {
  github: GitHubApp;
  openProject: OpenProject;
  mayPrompt: MayPrompt;
  log: Log;
}

/** A delivery as it was stored. */
export interface ReceivedDelivery {
  deliveryId: string;
  fields: DeliveryFields;
  /** By this machine's clock. */
  receivedAt: Date;
  /** Ends the processing. */
  signal: AbortSignal;
}

/** One delivery and everything that its handler reads. `processDelivery` builds it once; handlers pass it on whole. */
export interface DeliveryContext extends DeliveryParts, ReceivedDelivery {
  /** The project of the delivery's repository; undefined if there is none or the App cannot reach the repository. */
  findProject(): Promise<Project | undefined>;
  /** Parses the body of a comment or review for instructions to this App, each body once. */
  readComment(body: string): ReadComment;
}

/**
 * Writes a delivery's changes to the tables, in the transaction that marks it done. Returns the reason when nothing changed, or the time at
 * which to process the delivery again.
 */
export type Apply = (store: StoreTx) => Promise<string | Date | undefined>;

/**
 * Handles one event: reads from GitHub, then returns what to write. Returns the reason when the delivery is ignored. A delivery may be late,
 * repeated, or older than one that was processed before it.
 */
export type EventHandler = (context: DeliveryContext) => Promise<Apply | string>;

export async function createDeliveryContext(
  parts: DeliveryParts,
  delivery: ReceivedDelivery,
): Promise<DeliveryContext> {
  const { repository, comment, review } = delivery.fields;
  const app = comment || review ? await parts.github.fetchApp(delivery.signal) : undefined;
  const comments = new Map<string, ReadComment>();
  let project: Promise<Project | undefined> | undefined;
  return {
    ...parts,
    ...delivery,
    findProject() {
      project ??= repository ? findReachableProject(parts, repository.id) : Promise.resolve(undefined);
      return project;
    },
    readComment(body) {
      const parsed = comments.get(body) ?? readComment(body, app?.slug ?? '');
      comments.set(body, parsed);
      return parsed;
    },
  };
}

async function findReachableProject({ database }: DeliveryParts, repositoryId: number): Promise<Project | undefined> {
  const project = await findProjectByRepository(database, repositoryId);
  return project?.removed_at ? undefined : project;
}
