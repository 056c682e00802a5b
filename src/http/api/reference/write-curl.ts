import type { Operation } from '../description/document-shape.ts';

export interface Listed {
  method: string;
  path: string;
  operation: Operation;
}

const names: Record<string, string> = {
  projectId: '$PAGEWRIGHT_PROJECT',
  jobId: '$JOB',
  runId: '$RUN',
  webhookId: '$WEBHOOK',
};

/** The request as a command. */
export function writeCurl({ method, path, operation }: Listed, server: string): string {
  const { parameters, requestBody, responses, security } = operation;
  const address = `${server}${path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => names[name] ?? name)}`;
  const body = requestBody?.content['application/json']?.example;
  const isKeyed = parameters.some(({ name }) => name === 'Idempotency-Key');
  const isStream = Object.values(responses).some(({ content }) => 'text/event-stream' in content);
  const options = [
    ...(security === undefined ? ['-H "Authorization: Bearer $PAGEWRIGHT_KEY"'] : []),
    ...(isStream ? ["-H 'Accept: text/event-stream'"] : []),
    ...(isKeyed ? ["-H 'Idempotency-Key: a-new-one-for-each-instruction'"] : []),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body, null, 2)}'`]),
  ];
  const verb = method === 'GET' || body !== undefined ? '' : ` -X ${method}`;
  return [`curl${isStream ? ' -N' : ''}${verb} "${address}"`, ...options].join(' \\\n  ');
}
