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

/** Undefined where another attempt may help. The codes are part of the API. */
export function findFailedEnd(error: unknown): FailedEnd | undefined {
  if (error instanceof RunFailure) return { code: error.code, sentence: error.message };
  if (error instanceof GitHubRefusal) return endByGitHub(error);
  if (error instanceof GitRefusal) return endByGit(error.facts);
  if (error instanceof WorkspaceRefusal) return endByWorkspace(error.facts);
  if (error instanceof ModelRefusal) return endByModel(error);
  if (error instanceof NoProgress) return endWithoutProgress(error.reason);
  return undefined;
}

function endByGitHub({ reason, message: sentence }: GitHubRefusal): FailedEnd | undefined {
  switch (reason) {
    case 'installation_gone':
      return { code: 'installation_gone', sentence };
    case 'installation_suspended':
      return undefined;
    case 'permission_missing':
      return { code: 'permission_missing', sentence };
    case 'repository_gone':
      return { code: 'repository_gone', sentence };
    case 'not_found':
      return { code: 'not_found', sentence };
    case 'refused':
      return { code: 'github_refused', sentence };
  }
}

function endByGit(facts: GitRefusalFacts): FailedEnd {
  switch (facts.reason) {
    case 'repository_gone':
      return {
        code: 'repository_gone',
        sentence: `The repository’s server answered ${facts.status}: the repository was deleted or renamed, or the App lost access to it. Give the App access, then send the instruction again.`,
      };
    case 'address_refused':
      return {
        code: 'github_refused',
        sentence: `GitHub refused access to the repository: “${facts.words}”. ${allowAddress}`,
      };
    case 'repository_empty':
      return {
        code: 'repository_empty',
        sentence: 'The repository has no commits. Push a first commit, then send the instruction again.',
      };
    case 'branch_missing':
      return {
        code: 'branch_missing',
        sentence: `The repository has no branch ${facts.branch}. Create it, or start a job from a branch that exists.`,
      };
    case 'repository_too_large': {
      const files = facts.maxFiles === undefined ? '' : `${facts.maxFiles.toLocaleString('en')} files and folders or `;
      return {
        code: 'repository_too_large',
        sentence: `The repository has more than ${files}${Math.round(facts.maxBytes / 1024 ** 2)} MiB. Use a smaller repository for the documentation.`,
      };
    }
    case 'repository_invalid':
      return {
        code: 'repository_invalid',
        sentence:
          'The repository has objects that git refuses as malformed or dangerous, such as a file named .git or a broken .gitmodules. Remove them from its history, then send the instruction again.',
      };
  }
}

const maxShownPaths = 5;

function endByWorkspace(facts: WorkspaceRefusalFacts): FailedEnd {
  switch (facts.reason) {
    case 'base_rewritten':
      return {
        code: 'base_rewritten',
        sentence: 'A force-push removed the commit that the run started from. Send the instruction again.',
      };
    case 'protected_paths': {
      const shown = facts.paths.slice(0, maxShownPaths).join(', ');
      const more = facts.paths.length > maxShownPaths ? ', …' : '';
      return {
        code: 'protected_paths',
        sentence: `The change touches files that the agent may not change (${shown}${more}). Make these changes by hand.`,
      };
    }
    case 'earlier_write_refused':
      return {
        code: 'protected_paths',
        sentence: `The run cannot continue from its earlier work: ${facts.detail}. Send the instruction again.`,
      };
  }
}

function endByModel({ reason, facts: { model, words, needed } }: ModelRefusal): FailedEnd {
  const said = words === undefined ? '' : `: “${words}”`;
  switch (reason) {
    case 'model_auth':
      return {
        code: 'model_auth',
        sentence: `The model server refused access to ${model}${said}. Ask the operator to check OPENAI_API_KEY.`,
      };
    case 'model_quota':
      return {
        code: 'model_quota',
        sentence: `The account at the model server has no credit left${said}. Ask the operator to add credit or raise the limit.`,
      };
    case 'model_context':
      return {
        code: 'model_context',
        sentence: `The last step of the run does not fit into the window of ${model}. Ask for a smaller step in a new job, or ask the operator to check OPENAI_CONTEXT_TOKENS.`,
      };
    case 'model_refused':
      return {
        code: 'model_refused',
        sentence: `The model ${model} refused the request${said}. Rephrase the instruction.`,
      };
    case 'model_invalid':
      return {
        code: 'model_invalid',
        sentence: `The model server ${needed === undefined ? 'cannot process requests to' : `refuses \`${needed}\`, which Pagewright needs, in requests to`} ${model}${said}. Ask the operator to check OPENAI_MODEL, OPENAI_BASE_URL, OPENAI_API and OPENAI_REASONING_EFFORT.`,
      };
  }
}

function endWithoutProgress(reason: NoProgressReason): FailedEnd {
  switch (reason) {
    case 'empty_answers':
      return {
        code: 'model_invalid',
        sentence: 'The model’s answers were empty or cut off twice in a row. Try again, or choose another model.',
      };
    case 'written_calls':
      return {
        code: 'model_invalid',
        sentence:
          'The model wrote its tool calls as text, so nothing ran. Ask the operator to let the model server recognize the tool calls of this model (vLLM: --enable-auto-tool-choice and --tool-call-parser; llama.cpp: --jinja), or choose another model.',
      };
    case 'repeated_steps':
      return {
        code: 'stuck',
        sentence: 'The model kept repeating the same steps. Describe more precisely what to change.',
      };
  }
}

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
