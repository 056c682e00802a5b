import type { LocalPerson } from '../../../local/github/create-person.ts';
import type { Script, ScriptRequest } from '../../../local/model/script.ts';
import type { Files } from '../rounds/tip-files.ts';
import type { ProjectKind, TrialProject } from '../world/trial-project.ts';

export interface TrialJob {
  project: TrialProject;
  jobId: string;
  /** null: no job yet. */
  pullRequest: number | null;
  branch: string | null;
}

/** What people do, on GitHub and as callers of the API. */
export interface People {
  rita: LocalPerson;
  message(project: TrialProject, jobId: string, prompt: string): Promise<void>;
  messageBeside(fullName: string, prompt: string): Promise<void>;
  cancelBeside(fullName: string): Promise<void>;
  pushAsPerson(fullName: string, files: Record<string, string>): Promise<void>;
}

/** One way in which a run can start and go. */
export interface RunKind {
  name: string;
  project: ProjectKind;
  /** Text that its commits, files or comments contain after an undisturbed run. */
  leaves: string;
  /** Files that people push meanwhile, with `n` for the number of the run. They must be on the branch at the end. */
  filesOfPeople?: Files;
  /** Starts the run. Without it the run is the first of its job: creating the job starts it. */
  begin?(people: People, trialJob: TrialJob): Promise<void>;
  /** The model's answers, turn by turn. `nth` is the number of the run in its job. */
  play(request: ScriptRequest, run: { nth: number; people: People; fullName: string }): ReturnType<Script>;
}
