import type { Response } from 'express';
import type { Caller } from '../auth/caller.ts';
import { describeError, describeSecondaryLimit } from './describe-error.ts';
import type { ActiveFault } from './faults.ts';
import { exhaustedHeaders, primaryLimitError } from './rate-limits.ts';

/** Applies a fault before the request is carried out. Returns true when it has answered or reset the request. */
export async function applyFaultBefore(
  fault: ActiveFault | undefined,
  caller: Caller,
  response: Response,
): Promise<boolean> {
  const rule = fault?.rule;
  switch (rule?.kind) {
    case 'before':
      return sendServerError(response, rule.status);
    case 'reset-before':
      return reset(response);
    case 'hold-before':
      await fault?.released;
      return false;
    case 'hold-reset':
      await fault?.released;
      return reset(response);
    case 'secondary-limit': {
      const status = rule.status ?? 403;
      if (rule.retryAfter !== undefined) response.set('retry-after', String(rule.retryAfter));
      response.status(status).json(describeSecondaryLimit(status));
      return true;
    }
    case 'primary-limit':
      response
        .status(403)
        .set(exhaustedHeaders(rule.reset))
        .json(describeError(primaryLimitError(caller)));
      return true;
    case 'answer':
      response
        .status(rule.status)
        .set(rule.headers ?? {})
        .json(rule.body);
      return true;
    default:
      return false;
  }
}

/** Applies a fault after the request was carried out. Returns true when the real answer must not be sent. */
export async function applyFaultAfter(fault: ActiveFault | undefined, response: Response): Promise<boolean> {
  const rule = fault?.rule;
  if (rule?.kind === 'after') return sendServerError(response, rule.status);
  if (rule?.kind === 'reset-after') return reset(response);
  if (rule?.kind === 'hold-after') await fault?.released;
  return false;
}

function sendServerError(response: Response, status = 502): true {
  response.status(status).json({ message: 'Server Error' });
  return true;
}

function reset(response: Response): true {
  response.req.socket.resetAndDestroy();
  return true;
}
