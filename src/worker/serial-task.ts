/** A task that is done once at a time, as often as it is asked for. */
export interface SerialTask {
  /** Who asks while it is done has it done once more, for what it asked about may have been missed. Never throws. */
  ask(): void;
  isBusy(): boolean;
}

/** What `work` throws goes to `onError`, and keeps nobody from asking again. After an abort of `signal` it is not begun any more. */
export function createSerialTask({
  work,
  onError,
  signal,
}: {
  work: () => Promise<void>;
  onError: (error: unknown) => void;
  signal: AbortSignal;
}): SerialTask {
  let isBusy = false;
  let isAskedAgain = false;

  async function workOff() {
    isBusy = true;
    while (isAskedAgain && !signal.aborted) {
      isAskedAgain = false;
      await work().catch(onError);
    }
    isBusy = false;
  }

  return {
    ask() {
      isAskedAgain = true;
      if (!isBusy) void workOff();
    },
    isBusy: () => isBusy,
  };
}
