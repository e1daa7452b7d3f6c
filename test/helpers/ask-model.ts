import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FindAnswer } from '../../src/find/answer.js';
import { Finder } from '../../src/find/find.js';
import type { Skill } from '../../src/skill/skill.js';
import { makeScope, makeSkills } from './find-scope.js';

export const KEY = 'sk-very-secret-0123456789';

export const SKILLS = makeSkills({
  'pdf-forms': {
    description: 'Fill in PDF forms and extract their fields.',
    body: `Form body. ${'x'.repeat(900)}`,
  },
  'release-notes': { description: 'Write release notes from merged changes.', body: 'Notes body.\n' },
  'form-design': { description: 'Design web forms.', body: 'Design body.\n' },
  'deploy-form': { description: 'Deploy a form.', disableModelInvocation: true },
});

export interface Setting {
  readonly provider?: string;
  readonly baseURL?: string | undefined;
  readonly keyEnv?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  readonly strategy?: 'shortlist' | 'shards';
  readonly timeoutMs?: number;
  readonly shardSize?: number;
  readonly skills?: readonly Skill[];
  readonly limit?: number;
  readonly task?: string;
  readonly model?: string;
  readonly thresholds?: { action?: number; named?: number; fits?: number };
  readonly shippedThresholds?: { action?: number; named?: number; fits?: number };
  readonly signal?: AbortSignal;
  /** Raw text of providers.json instead of one made of the above. */
  readonly providersText?: string;
}

/** Asks a Finder whose decision model stands at some address. */
export function askModel(setting: Setting = {}): Promise<FindAnswer> {
  const { model = 'test-model', provider = 'systemone', keyEnv = ['TEST_KEY'], skills = SKILLS } = setting;
  const folder = mkdtempSync(path.join(tmpdir(), 'skill-mcp-decision-'));
  const providersFile = path.join(folder, 'providers.json');
  const entry = {
    provider,
    modelId: 'm-1',
    keyEnv,
    baseURL: setting.baseURL,
    thresholds: setting.shippedThresholds,
  };
  writeFileSync(providersFile, setting.providersText ?? JSON.stringify({ 'test-model': entry }));
  const variables = new Map(Object.entries(setting.variables ?? { TEST_KEY: KEY }));
  const thresholds = new Map(setting.thresholds === undefined ? [] : [[model, setting.thresholds]]);
  const scope = makeScope(skills, {
    decision: { model, strategy: setting.strategy ?? 'shortlist', thresholds },
    timeoutMs: setting.timeoutMs ?? 10_000,
    shardSize: setting.shardSize ?? 120,
  });
  const request = {
    task: setting.task ?? 'fill in a PDF form',
    limit: setting.limit ?? 5,
    signal: setting.signal ?? new AbortController().signal,
  };
  return new Finder({ variables, providersFile }).find(request, scope);
}
