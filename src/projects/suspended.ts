import { Parked } from '../errors.ts';

/** How long something waits before it looks again whether the installation was unsuspended. */
const suspendedRetryMs = 10 * 60_000;

export const suspended = (cause?: Error) =>
  new Parked(new Date(Date.now() + suspendedRetryMs), 'the installation is suspended', { cause });
