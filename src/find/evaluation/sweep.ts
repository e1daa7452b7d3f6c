import type { FindScope } from '../find.js';
import { gateThreshold, gateValue } from '../gate.js';
import { answerLexically } from '../lexical.js';
import { SkillIndex } from '../skill-index.js';
import { keepUsable, type SweepRow } from './evaluate.js';
import type { LabelledRequest } from './request.js';

/** Distances from the gate's own threshold that are tried. */
const STEPS = [-0.4, -0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3, 0.4];

/**
 * What other thresholds of the lexical gate would have given, from one reading of each request and without network:
 * over the rows to tune on, or over all rows where there are none of those.
 */
export async function sweepGate(
  requests: readonly LabelledRequest[],
  scope: FindScope,
): Promise<readonly SweepRow[]> {
  const { skills, config } = scope;
  const indexed = await new SkillIndex().of(skills);
  const usable = keepUsable(requests, scope);
  const tuning = usable.filter(({ split }) => split === 'tune');
  const weighed = (tuning.length > 0 ? tuning : usable).map(({ task, gold }) => {
    // Threshold 0 lets everything through that may be suggested at all.
    const lexical = { ...config.lexical, threshold: 0 };
    const { suggestion, evidence } = answerLexically(task, 2, indexed, lexical);
    return { gold, suggestion, value: gateValue(evidence) };
  });
  const base = gateThreshold(skills.length);
  return STEPS.map((step) => Math.round((base + step) * 1_000) / 1_000)
    .filter((threshold) => threshold >= 0)
    .map((threshold) => {
      const at = weighed.map(({ gold, suggestion, value }) => ({
        gold,
        suggestion: value >= threshold ? suggestion : null,
      }));
      const covered = at.filter(({ gold }) => gold !== null);
      return {
        threshold,
        right: covered.filter(({ gold, suggestion }) => suggestion === gold).length,
        wrong: covered.filter(({ gold, suggestion }) => suggestion !== null && suggestion !== gold).length,
        silent: covered.filter(({ suggestion }) => suggestion === null).length,
        needless: at.filter(({ gold, suggestion }) => gold === null && suggestion !== null).length,
      };
    });
}
