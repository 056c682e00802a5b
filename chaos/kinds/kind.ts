import type { LocalPerson } from '../../local/github/create-person.ts';
import type { Script, ScriptRequest } from '../../local/model/script.ts';
import type { Files } from '../rounds/tip-files.ts';
import type { Site, SiteKind } from '../world/sites.ts';

/** A site and the job that the trials run on it. */
export interface Stage {
  site: Site;
  jobId: string;
  /** null: not yet. */
  pullRequest: number | null;
  branch: string | null;
}

/** What people do from outside. */
export interface Outside {
  rita: LocalPerson;
  message(site: Site, jobId: string, prompt: string): Promise<void>;
  /** To the job that goes on at a site. */
  messageBeside(fullName: string, prompt: string): Promise<void>;
  /** The job that goes on at a site. */
  cancelBeside(fullName: string): Promise<void>;
  pushAsPerson(fullName: string, files: Record<string, string>): Promise<void>;
}

/** One way in which a run can come about and go. */
export interface Kind {
  name: string;
  site: SiteKind;
  /** What stands in its commits, with their files, or comments when it has gone well: an undisturbed run is held against it. */
  leaves: string;
  /** What people push meanwhile, `n` for the number of the run: it is on the branch at the end, whatever an undisturbed run leaves. */
  filesOfPeople?: Files;
  /** Asks for the run; none: it is the first of its job, and asked for by creating that. */
  begin?(world: Outside, stage: Stage): Promise<void>;
  /** What the model says, turn by turn. `nth`: the number of the run in its job. */
  play(request: ScriptRequest, given: { nth: number; world: Outside; fullName: string }): ReturnType<Script>;
}
