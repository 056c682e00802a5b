interface SerialTask {
  /** A request during the work makes it run once more afterwards. Never throws. */
  request(): void;
  isRunning(): boolean;
}

/** Errors go to `onError` and do not stop later requests. An abort of `signal` does. */
export function createSerialTask(options: {
  work: () => Promise<void>;
  onError: (error: unknown) => void;
  signal: AbortSignal;
}): SerialTask {
  const { work, onError, signal } = options;
  let isRunning = false;
  let isRequested = false;

  async function run() {
    isRunning = true;
    while (isRequested && !signal.aborted) {
      isRequested = false;
      await work().catch(onError);
    }
    isRunning = false;
  }

  return {
    request() {
      isRequested = true;
      if (!isRunning) void run();
    },
    isRunning: () => isRunning,
  };
}
