import type { ErrorRequestHandler } from 'express';
import type { Log } from '../../log.ts';
import { type HttpProblem, sendProblem, toProblem } from '../problem.ts';

/** Answers with the problem that an error is. */
export const answerError: ErrorRequestHandler = (error, request, response, next) => {
  const problem = toProblem(error);
  logProblem(request.log, problem, error);
  // Too late for another status: express closes the connection.
  if (response.headersSent) return next(error);
  sendProblem(response, problem, String(request.id));
};

/** Logs what the answer does not tell. */
export function logProblem(log: Log, problem: HttpProblem, error: unknown): void {
  if (problem.kind === 'internal') log.error({ err: error }, 'a request failed');
  if (problem.kind === 'unavailable' && problem.cause) log.warn({ err: error }, 'the database cannot be reached');
}
