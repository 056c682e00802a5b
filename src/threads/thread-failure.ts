import { hasCode } from '../errors.ts';

/** The task did not end, and neither will it when it runs again. Its thread is gone; the process is not affected. */
export class ThreadFailure extends Error {}

export class ThreadTimeout extends ThreadFailure {
  override readonly name = 'ThreadTimeout';
}

export class ThreadOutOfMemory extends ThreadFailure {
  override readonly name = 'ThreadOutOfMemory';
}

/** Too many tasks wait: this one may run later. Not a failure of the task. */
export class ThreadsBusy extends Error {
  override readonly name = 'ThreadsBusy';
}

export const isOutOfMemory = (error: unknown): boolean => hasCode(error, 'ERR_WORKER_OUT_OF_MEMORY');
