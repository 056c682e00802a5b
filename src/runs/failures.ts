import { ModelRefusal } from '../agent/model/errors.ts';
import { NoProgress, type NoProgressReason } from '../agent/progress.ts';
import { Refusal } from '../errors.ts';
import { GitRefusal, type GitRefusalFacts } from '../git/errors.ts';
import { allowAddress, GitHubRefusal } from '../github/refusals/github-refusal.ts';
import { WorkspaceRefusal, type WorkspaceRefusalFacts } from '../workspace/workspace-refusal.ts';

/** `code`: for programs. `sentence`: for people, what happened and what to do. */
export interface FailedEnd {
  code: string;
  sentence: string;
}

/** A run cannot succeed. People read the message, so it holds no secret. */
export class RunFailure extends Refusal {
  override readonly name = 'RunFailure';
  readonly code: string;

  constructor(code: string, sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.code = code;
  }
}

/** Undefined where another attempt may help. */
export function findFailedEnd(error: unknown): FailedEnd | undefined {
  if (error instanceof RunFailure) return { code: error.code, sentence: error.message };
  if (error instanceof GitHubRefusal)
    return error.reason === 'installation_suspended' ? undefined : endBy(error.reason, error.message);
  if (error instanceof GitRefusal) return endBy(error.reason, describeGit(error.facts));
  if (error instanceof WorkspaceRefusal) return endBy(error.reason, describeWorkspace(error.facts));
  if (error instanceof ModelRefusal) return endBy(error.reason, describeModel(error));
  if (error instanceof NoProgress) return endBy(error.reason, withoutProgress[error.reason]);
  return undefined;
}

type Reason = (GitHubRefusal | GitRefusal | WorkspaceRefusal | ModelRefusal | NoProgress)['reason'];

/** The code of each reason: part of the API. */
const codes: Record<Exclude<Reason, 'installation_suspended'>, string> = {
  installation_gone: 'installation_gone',
  permission_missing: 'permission_missing',
  repository_gone: 'repository_gone',
  not_found: 'not_found',
  refused: 'github_refused',
  address_refused: 'github_refused',
  repository_empty: 'repository_empty',
  branch_missing: 'branch_missing',
  repository_too_large: 'repository_too_large',
  repository_invalid: 'repository_invalid',
  base_rewritten: 'base_rewritten',
  protected_paths: 'protected_paths',
  earlier_write_refused: 'protected_paths',
  model_auth: 'model_auth',
  model_quota: 'model_quota',
  model_context: 'model_context',
  model_refused: 'model_refused',
  model_invalid: 'model_invalid',
  empty_answers: 'model_invalid',
  written_calls: 'model_invalid',
  repeated_steps: 'stuck',
};

const endBy = (reason: keyof typeof codes, sentence: string): FailedEnd => ({ code: codes[reason], sentence });

function describeGit(facts: GitRefusalFacts): string {
  switch (facts.reason) {
    case 'repository_gone':
      return `The repository’s server answered ${facts.status}: the repository was deleted or renamed, or the App lost access to it. Give the App access, then send the instruction again.`;
    case 'address_refused':
      return `GitHub refused access to the repository: “${facts.words}”. ${allowAddress}`;
    case 'repository_empty':
      return 'The repository has no commits. Push a first commit, then send the instruction again.';
    case 'branch_missing':
      return `The repository has no branch ${facts.branch}. Create it, or start a job from a branch that exists.`;
    case 'repository_too_large': {
      const files = facts.maxFiles === undefined ? '' : `${facts.maxFiles.toLocaleString('en')} files and folders or `;
      return `The repository has more than ${files}${Math.round(facts.maxBytes / 1024 ** 2)} MiB. Use a smaller repository for the documentation.`;
    }
    case 'repository_invalid':
      return 'The repository has objects that git refuses as malformed or dangerous, such as a file named .git or a broken .gitmodules. Remove them from its history, then send the instruction again.';
  }
}

const maxShownPaths = 5;

function describeWorkspace(facts: WorkspaceRefusalFacts): string {
  switch (facts.reason) {
    case 'base_rewritten':
      return 'A force-push removed the commit that the run started from. Send the instruction again.';
    case 'protected_paths': {
      const shown = facts.paths.slice(0, maxShownPaths).join(', ');
      const more = facts.paths.length > maxShownPaths ? ', …' : '';
      return `The change touches files that the agent may not change (${shown}${more}). Make these changes by hand.`;
    }
    case 'earlier_write_refused':
      return `The run cannot continue from its earlier work: ${facts.detail}. Send the instruction again.`;
  }
}

function describeModel({ reason, facts: { model, words, needed } }: ModelRefusal): string {
  const said = words === undefined ? '' : `: “${words}”`;
  switch (reason) {
    case 'model_auth':
      return `The model server refused access to ${model}${said}. Ask the operator to check OPENAI_API_KEY.`;
    case 'model_quota':
      return `The account at the model server has no credit left${said}. Ask the operator to add credit or raise the limit.`;
    case 'model_context':
      return `The last step of the run does not fit into the window of ${model}. Ask for a smaller step in a new job, or ask the operator to check OPENAI_CONTEXT_TOKENS.`;
    case 'model_refused':
      return `The model ${model} refused the request${said}. Rephrase the instruction.`;
    case 'model_invalid':
      return `The model server ${needed === undefined ? 'cannot process requests to' : `refuses \`${needed}\`, which Pagewright needs, in requests to`} ${model}${said}. Ask the operator to check OPENAI_MODEL, OPENAI_BASE_URL, OPENAI_API and OPENAI_REASONING_EFFORT.`;
  }
}

const withoutProgress: Record<NoProgressReason, string> = {
  empty_answers: 'The model’s answers were empty or cut off twice in a row. Try again, or choose another model.',
  written_calls:
    'The model wrote its tool calls as text, so nothing ran. Ask the operator to let the model server recognize the tool calls of this model (vLLM: --enable-auto-tool-choice and --tool-call-parser; llama.cpp: --jinja), or choose another model.',
  repeated_steps: 'The model kept repeating the same steps. Describe more precisely what to change.',
};

export const waitedTooLong = (reason: string): FailedEnd => ({
  code: 'waited_too_long',
  sentence: `The run waited for a day without progress (${reason}). Send the instruction again later.`,
});

export const diskFull = (disk: string): FailedEnd => ({
  code: 'disk_full',
  sentence: `The run waited for a day because ${disk} was full. Ask the operator to free some space, then send the instruction again.`,
});

export const modelUnavailable = (detail: string): FailedEnd => ({
  code: 'model_unavailable',
  sentence: `The model server gave no usable answer for an hour (${detail}). Send the instruction again when it is back.`,
});

export const githubUnavailable: FailedEnd = {
  code: 'github_unavailable',
  sentence: 'GitHub did not answer for a day. Send the instruction again when it is back.',
};

export const appKeyRefused: FailedEnd = {
  code: 'app_key_refused',
  sentence:
    'GitHub refused the App’s private key for a day. Ask the operator to check the key and the clock, then send the instruction again.',
};

/** `interruptions`: so many in a row without progress. */
export const crashed = (interruptions: number, runId: string): FailedEnd => ({
  code: 'crashed',
  sentence: `The run stopped ${interruptions} times in a row without progress, the last time because its process crashed. Ask the operator to search the logs for ${runId}, then send the instruction again.`,
});

export const internal = (runId: string): FailedEnd => ({
  code: 'internal',
  sentence: `Internal error. Ask the operator to search the logs for ${runId}.`,
});
