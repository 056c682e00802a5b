import { type Automation, automationShape } from '../repository/automation-shapes.ts';
import type { Database } from '../store/postgres/database.ts';
import { type AutomationRow, findAutomation } from '../store/tables/automations/automations.ts';
import type { AutomationKey } from '../store/tables/automations/occasions.ts';
import { findProject } from '../store/tables/repositories/projects.ts';

/** Undefined: another version of Pagewright stored it, and this one cannot read it. */
export const readSetting = ({ setting }: AutomationRow): Automation | undefined =>
  automationShape.safeParse(setting).data;

/** An automation with its setting and its project, which may be removed. */
export async function readAutomation(database: Database, key: AutomationKey) {
  const row = await findAutomation(database, key);
  const project = await findProject(database, key.projectId);
  const setting = row && readSetting(row);
  return row && setting && project && { row, setting, project };
}
