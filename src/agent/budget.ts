export type RunLimit = 'turns' | 'tokens' | 'seconds' | 'files' | 'bytes';

/** `sentence` is written for people. */
export interface RunLimitReached {
  kind: 'limit';
  limit: RunLimit;
  sentence: string;
}

export type Budget = ReturnType<typeof createBudget>;

/** `spent`: usage by earlier workers. `measureChange`: files and bytes so far. A change may be exactly as large as its limit. */
export function createBudget(options: {
  maxTurns: number;
  maxTokens: number;
  maxSeconds: number;
  maxChangedFiles: number;
  maxChangedBytes: number;
  spent: { turns: number; tokens: number; activeMs: number };
  measureChange: () => { files: number; bytes: number };
  now?: () => number;
}) {
  const { maxTurns, maxTokens, maxSeconds, maxChangedFiles, maxChangedBytes, spent, measureChange } = options;
  const { now = () => performance.now() } = options;
  const startedAt = now();
  let { turns, tokens } = spent;
  const remainingMs = () => Math.max(0, maxSeconds * 1000 - spent.activeMs - (now() - startedAt));
  const signal = AbortSignal.timeout(Math.min(Math.ceil(remainingMs()), longestTimerMs));

  const isUsedUp: Record<RunLimit, () => boolean> = {
    turns: () => turns >= maxTurns,
    tokens: () => tokens >= maxTokens,
    seconds: () => signal.aborted || remainingMs() === 0,
    files: () => measureChange().files > maxChangedFiles,
    bytes: () => measureChange().bytes > maxChangedBytes,
  };
  const share: Record<RunLimit, () => number> = {
    turns: () => turns / maxTurns,
    tokens: () => tokens / maxTokens,
    seconds: () => 1 - remainingMs() / (maxSeconds * 1000),
    files: () => measureChange().files / maxChangedFiles,
    bytes: () => measureChange().bytes / maxChangedBytes,
  };
  const allowed: Record<RunLimit, string> = {
    turns: amount(maxTurns, 'turn'),
    tokens: amount(maxTokens, 'token'),
    seconds: maxSeconds % 60 === 0 ? amount(maxSeconds / 60, 'minute') : amount(maxSeconds, 'second'),
    files: amount(maxChangedFiles, 'changed file'),
    bytes: amount(maxChangedBytes, 'changed byte'),
  };
  const firstReached = (limits: RunLimit[]): RunLimitReached | undefined => {
    const limit = limits.find((candidate) => isUsedUp[candidate]());
    return (
      limit && {
        kind: 'limit',
        limit,
        sentence: `Pagewright stopped at the limit of ${allowed[limit]}. Send a smaller instruction, or ask the operator of Pagewright to raise the limit.`,
      }
    );
  };

  return {
    signal,
    /** Each `before…` method returns the limit that forbids the step, if any. */
    beforeTurn: () => firstReached(['turns', 'tokens', 'seconds', 'files', 'bytes']),
    /** For a model request in a turn that is already open. */
    beforeRequest: () => firstReached(['tokens', 'seconds', 'files', 'bytes']),
    beforeTool: () => firstReached(['seconds', 'files', 'bytes']),
    /** One line for the model per limit that is at least 80 % used. The text is constant, so that the loop can send it once. */
    warnings: () => allLimits.filter((limit) => share[limit]() >= warnFrom).map((limit) => warningOf[limit]),
    countTurn(): void {
      turns += 1;
    },
    countTokens(used: number): void {
      tokens += used;
    },
  };
}

const warnFrom = 0.8;
/** Longer timers fire at once: https://nodejs.org/api/timers.html#settimeoutcallback-delay-args */
const longestTimerMs = 2 ** 31 - 1;
const allLimits: RunLimit[] = ['turns', 'tokens', 'seconds', 'files', 'bytes'];
const wrapUp =
  'Leave the files in a good state, call finish soon, and say in the summary what is left, if anything is.';
const warningOf: Record<RunLimit, string> = {
  turns: `This run has used most of its turns. ${wrapUp}`,
  tokens: `This run has used most of its tokens. ${wrapUp}`,
  seconds: `This run has used most of its time. ${wrapUp}`,
  files: `This change touches more than four fifths of the files that one pull request may. ${wrapUp}`,
  bytes: `This change is almost as large as one pull request may be. ${wrapUp}`,
};

const amount = (number: number, unit: string) => `${number.toLocaleString('en')} ${unit}${number === 1 ? '' : 's'}`;
