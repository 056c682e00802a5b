import { automationName } from '../../../ids.ts';
import { type Call, resourceNotFound } from '../requests/project-route.ts';

/** The automation of the path. Throws the problem 404 for what cannot be a name. */
export function readAutomationName({ request }: Call): string {
  const { name } = request.params;
  if (typeof name === 'string' && automationName.test(name)) return name;
  throw resourceNotFound();
}
