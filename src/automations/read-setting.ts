import { type Automation, automationShape } from '../repository/automation-shapes.ts';
import type { AutomationRow } from '../store/tables/automations/automations.ts';

/** Undefined: another version of Pagewright stored it, and this one cannot read it. */
export const readSetting = ({ setting }: AutomationRow): Automation | undefined =>
  automationShape.safeParse(setting).data;
