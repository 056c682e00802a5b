import { Parked } from '../errors.ts';

/** How often it is looked whether somebody has unsuspended an installation. */
const suspendedRetryMs = 10 * 60_000;

export const suspended = (cause?: Error) =>
  new Parked(new Date(Date.now() + suspendedRetryMs), 'the installation is suspended', { cause });
