import type { RegistryService } from '../../registry/registry-service.js';
import type { ToolDefinition } from '../tool.js';
import { makeGetSkill } from './get-skill.js';
import { makeListSkills } from './list-skills.js';
import { makePublishSkill } from './publish-skill.js';

/** The tools of the registry group. */
export function createRegistryTools(service: RegistryService): readonly ToolDefinition[] {
  return [makeListSkills(service), makeGetSkill(service), makePublishSkill(service)];
}
