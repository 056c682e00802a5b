/** Of GitHub Actions. */
export interface Workflow {
  id: number;
  event: string;
}

/** Of a commit; `app` is the App that reports it. */
export interface CheckRun {
  id: number;
  /** The check runs of one App and commit share it; of GitHub Actions, those of one run of a workflow. */
  suiteId: number;
  workflow: Workflow | undefined;
  app: { id: number; slug: string };
  name: string;
  headSha: string;
  status: 'queued' | 'in_progress' | 'completed';
  conclusion: Conclusion | null;
  externalId: string;
  detailsUrl: string | null;
  title: string | null;
  summary: string | null;
  text: string | null;
  annotations: Annotation[];
  /** Of a job of GitHub Actions. */
  log: string | null;
  startedAt: string;
  completedAt: string | null;
}

export const conclusions = [
  'success',
  'failure',
  'neutral',
  'cancelled',
  'skipped',
  'timed_out',
  'action_required',
] as const;
export type Conclusion = (typeof conclusions)[number];

export interface Annotation {
  path: string;
  startLine: number;
  endLine: number;
  level: 'notice' | 'warning' | 'failure';
  message: string;
  title: string | null;
}

export interface CommitStatus {
  id: number;
  sha: string;
  state: 'error' | 'failure' | 'pending' | 'success';
  context: string;
  description: string | null;
  targetUrl: string | null;
  createdAt: string;
}
