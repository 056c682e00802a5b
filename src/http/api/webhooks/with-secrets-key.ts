import { SecretsKeyMissing } from '../../../config/secrets-key.ts';
import { HttpProblem } from '../../problem.ts';
import type { Call } from '../requests/project-route.ts';

/** The log has the cause, which is for the operator and not for callers. */
export async function withSecretsKey<T>({ request }: Call, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SecretsKeyMissing)) throw error;
    request.log.warn({ err: error }, 'the secret of a webhook could not be stored');
    throw new HttpProblem(
      'webhooks-not-configured',
      'This service cannot store the secrets of webhooks. Ask its operator to set SECRETS_KEY for all processes.',
    );
  }
}
