import type { FindConfig } from '../config/find-config.js';
import { forListing } from '../errors/sanitize.js';
import type { Skill } from '../skill/skill.js';
import { type Candidate, type FindAnswer, joinReasons, showCandidate, showEvidence } from './answer.js';
import { type DecisionParts, decide } from './decision/decide.js';
import { DecisionFailure } from './decision/question.js';
import { answerLexically, type LexicalAnswer } from './lexical.js';
import { SkillIndex } from './skill-index.js';

/** Skills that are ranked whatever the limit: what a decision model reads closely. */
const SHORTLIST = 20;

const MAX_REASON_CHARACTERS = 500;

/** What is searched: skills and config that belong together. */
export interface FindScope {
  /** In order of priority; ids are unique. */
  readonly skills: readonly Skill[];
  readonly config: FindConfig;
  /** Why skills may be missing from it, one line. */
  readonly fault?: string | undefined;
}

/** One question: which skill fits this task? */
export interface FindRequest {
  readonly task: string;
  /** Candidates in the answer, 1 to 10. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** Finds the skill for a task: by a decision model where one is configured, else, and when that fails, by words. */
export class Finder {
  readonly #index = new SkillIndex();
  readonly #parts: DecisionParts;

  constructor(parts: DecisionParts) {
    this.#parts = parts;
  }

  /** Indexes these skills, so that the first question need not wait for it. */
  async prepare(skills: readonly Skill[]): Promise<void> {
    await this.#index.of(skills);
  }

  /** Never rejects for what a task, a skill or a model may hold. */
  async find(request: FindRequest, scope: FindScope): Promise<FindAnswer> {
    const { skills, config, fault } = scope;
    const indexed = await this.#index.of(skills);
    const { byName } = indexed;
    const lexical = answerLexically(request.task, SHORTLIST, indexed, config.lexical);
    const { model } = config.decision;
    const emptiness = skills.length === 0 ? EMPTY_CATALOG : undefined;
    const byWords = (ranker: string, why?: string): FindAnswer => ({
      needsSkill: null,
      suggestion: lexical.suggestion,
      ranker,
      ...reasonOf(why, fault, emptiness ?? lexical.reason),
      candidates: showRanked(lexical, byName, request.limit),
      evidence: showEvidence(lexical.evidence),
    });
    if (model === undefined) return byWords('bm25');
    try {
      const { task, signal } = request;
      const verdict = await decide(
        { model, config, task, skills, ranked: lexical.ranked, signal },
        this.#parts,
      );
      return {
        needsSkill: verdict.needsSkill,
        suggestion: verdict.suggestion,
        ranker: model,
        ...reasonOf(fault, emptiness ?? verdict.reason),
        candidates: verdict.candidates
          .slice(0, request.limit)
          .map(({ skill, score }) => showCandidate(skill, score)),
      };
    } catch (error) {
      if (!(error instanceof DecisionFailure)) throw error;
      return byWords('bm25-fallback', error.message);
    }
  }
}

const EMPTY_CATALOG =
  'there are no skills: add a source with the tool sources, {"action": "add", "repo": "owner/name"}, then {"action": "sync"}';

function showRanked(
  { ranked }: LexicalAnswer,
  byName: ReadonlyMap<string, Skill>,
  limit: number,
): readonly Candidate[] {
  return ranked.slice(0, limit).flatMap(({ id, score }) => {
    const skill = byName.get(id);
    return skill === undefined ? [] : [showCandidate(skill, score)];
  });
}

function reasonOf(...reasons: readonly (string | undefined)[]): { reason?: string } {
  const reason = joinReasons(reasons);
  return reason === undefined ? {} : { reason: forListing(reason, MAX_REASON_CHARACTERS) };
}
