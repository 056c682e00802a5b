export type Limit = 'turns' | 'tokens' | 'seconds' | 'files' | 'bytes';

/** A limit that ended the work, as one sentence for people. */
export interface LimitReached {
  kind: 'limit';
  limit: Limit;
  sentence: string;
}

/** What one run may use. It only answers; the loop acts. */
export interface Budget {
  /** Aborts when the seconds are used up, so that nothing that hangs outlives them. */
  readonly signal: AbortSignal;
  /** The limit that forbids opening another turn, if any. */
  beforeTurn(): LimitReached | undefined;
  /** The limit that forbids asking the model in a turn that is open already, if any. */
  beforeRequest(): LimitReached | undefined;
  /** The limit that forbids running another tool, if any: tokens and turns do not, for a tool costs neither. */
  beforeTool(): LimitReached | undefined;
  /** One line for the model per limit that is at least four fifths used. Its text is always the same, so that it can be told once. */
  warnings(): string[];
  countTurn(): void;
  countTokens(tokens: number): void;
}

/**
 * Counts what a run uses against its limits. `spent` is what earlier holders of the run used: turns opened, tokens in and out, milliseconds
 * of activity; the clock of this stretch starts now. `measureChange` returns the size of the change so far: files touched and bytes
 * written. A change may be exactly as large as its limit; the other limits end the run when they are used up.
 */
export function createBudget({
  maxTurns,
  maxTokens,
  maxSeconds,
  maxChangedFiles,
  maxChangedBytes,
  spent,
  measureChange,
  now = () => performance.now(),
}: {
  maxTurns: number;
  maxTokens: number;
  maxSeconds: number;
  maxChangedFiles: number;
  maxChangedBytes: number;
  spent: { turns: number; tokens: number; activeMs: number };
  measureChange: () => { files: number; bytes: number };
  now?: () => number;
}): Budget {
  const startedAt = now();
  let { turns, tokens } = spent;
  const remainingMs = () => Math.max(0, maxSeconds * 1000 - spent.activeMs - (now() - startedAt));
  const signal = AbortSignal.timeout(Math.min(Math.ceil(remainingMs()), longestTimerMs));

  const isUsedUp: Record<Limit, () => boolean> = {
    turns: () => turns >= maxTurns,
    tokens: () => tokens >= maxTokens,
    seconds: () => signal.aborted || remainingMs() === 0,
    files: () => measureChange().files > maxChangedFiles,
    bytes: () => measureChange().bytes > maxChangedBytes,
  };
  const share: Record<Limit, () => number> = {
    turns: () => turns / maxTurns,
    tokens: () => tokens / maxTokens,
    seconds: () => 1 - remainingMs() / (maxSeconds * 1000),
    files: () => measureChange().files / maxChangedFiles,
    bytes: () => measureChange().bytes / maxChangedBytes,
  };
  const allowed: Record<Limit, string> = {
    turns: amount(maxTurns, 'turn'),
    tokens: amount(maxTokens, 'token'),
    seconds: maxSeconds % 60 === 0 ? amount(maxSeconds / 60, 'minute') : amount(maxSeconds, 'second'),
    files: amount(maxChangedFiles, 'changed file'),
    bytes: amount(maxChangedBytes, 'changed byte'),
  };
  const firstReached = (limits: Limit[]): LimitReached | undefined => {
    const limit = limits.find((candidate) => isUsedUp[candidate]());
    return (
      limit && {
        kind: 'limit',
        limit,
        sentence: `The work was stopped at its limit of ${allowed[limit]}: ask again with a smaller step, or have the limit raised.`,
      }
    );
  };

  return {
    signal,
    beforeTurn: () => firstReached(['turns', 'tokens', 'seconds', 'files', 'bytes']),
    beforeRequest: () => firstReached(['tokens', 'seconds', 'files', 'bytes']),
    beforeTool: () => firstReached(['seconds', 'files', 'bytes']),
    warnings: () => allLimits.filter((limit) => share[limit]() >= warnFrom).map((limit) => warningOf[limit]),
    countTurn: () => {
      turns += 1;
    },
    countTokens: (used) => {
      tokens += used;
    },
  };
}

const warnFrom = 0.8;
/** Longer timers fire at once: https://nodejs.org/api/timers.html#settimeoutcallback-delay-args */
const longestTimerMs = 2 ** 31 - 1;
const allLimits: Limit[] = ['turns', 'tokens', 'seconds', 'files', 'bytes'];
const wrapUp = 'Bring what you have into a good state and call finish soon; say in the summary what is left.';
const warningOf: Record<Limit, string> = {
  turns: `Most of the turns of this run are used. ${wrapUp}`,
  tokens: `Most of the tokens of this run are used. ${wrapUp}`,
  seconds: `Most of the time of this run is used. ${wrapUp}`,
  files: `This change already touches nearly as many files as one pull request may. ${wrapUp}`,
  bytes: `This change is already nearly as large as one pull request may be. ${wrapUp}`,
};

const amount = (number: number, unit: string) => `${number.toLocaleString('en')} ${unit}${number === 1 ? '' : 's'}`;
