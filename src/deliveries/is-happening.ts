import type { DeliveryFields } from '../store/tables/repositories/delivery-fields.ts';

/** Whether a delivery tells of something that may trigger an automation. */
export const isHappening = (name: string, fields: DeliveryFields): boolean =>
  name === 'release' || name === 'issues' || (name === 'pull_request' && isMergedIntoDefault(fields));

export const isMergedIntoDefault = ({ action, pull_request: pullRequest, repository }: DeliveryFields): boolean =>
  action === 'closed' && pullRequest?.merged === true && pullRequest.base.ref === repository?.default_branch;
