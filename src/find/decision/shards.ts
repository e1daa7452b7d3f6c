import { mapBounded } from '../../skill/map-bounded.js';
import type { Skill } from '../../skill/skill.js';
import { askChoice, chooseSkill } from './choose-skill.js';
import { concludeClosed, concludeOpen } from './conclude.js';
import { describeOption } from './describe-option.js';
import { GATE_QUESTIONS, opensGate } from './gate-questions.js';
import type { Judgement, Scored, Verdict } from './judgement.js';
import { type Answer, choiceOf, type Question } from './question.js';

/** Skills of each shard that come through, and skills that are read closely at the end. */
const KEPT = 3;

/** Characters of a description in a shard, where a hundred of them stand side by side. */
const SHARD_DESCRIPTION_CHARACTERS = 300;

/** Shards that are asked at the same time: thousands of skills must not open hundreds of connections. */
const PARALLEL_SHARDS = 16;

/** Two rounds over the whole catalog: a choice in every shard, then the best three read closely. */
export async function judgeShards(judgement: Judgement): Promise<Verdict> {
  const { model, task, thresholds, signal, skills, shardSize } = judgement;
  const shards = splitShards(skills, shardSize);
  const rounds = await mapBounded(shards, PARALLEL_SHARDS, (shard, position) => {
    const questions = new Map<string, Question>(position === 0 ? GATE_QUESTIONS : []);
    if (shard.length > 0) questions.set('choice', askShard(shard));
    return model.decide({ state: task, questions }, signal);
  });
  const candidates = shards
    .flatMap((shard, position) => bestOf(shard, rounds[position] ?? new Map()))
    .sort((a, b) => b.score - a.score);
  if (!opensGate(rounds[0] ?? new Map(), thresholds)) return concludeClosed(candidates);
  const closest = candidates.slice(0, KEPT).map(({ skill }) => skill);
  if (closest.length === 0) {
    return { needsSkill: true, suggestion: null, reason: 'none of the skills fits', candidates };
  }
  return concludeOpen(await chooseSkill(judgement, closest), thresholds, candidates);
}

/** An empty catalog is one empty shard: the gate is asked all the same. */
function splitShards(skills: readonly Skill[], size: number): (readonly Skill[])[] {
  const shards: (readonly Skill[])[] = [skills.slice(0, size)];
  for (let start = size; start < skills.length; start += size) shards.push(skills.slice(start, start + size));
  return shards;
}

function askShard(shard: readonly Skill[]): Question {
  return askChoice(
    shard,
    shard.map((skill) => describeOption(skill, '', SHARD_DESCRIPTION_CHARACTERS)),
  );
}

/** The best three of a shard; of a model that names its choice alone, that one. */
function bestOf(shard: readonly Skill[], answers: ReadonlyMap<string, Answer>): Scored[] {
  if (shard.length === 0) return [];
  const { choice, probabilities } = choiceOf(answers, 'choice');
  return shard
    .map((skill) => ({
      skill,
      score:
        probabilities === undefined ? Number(skill.name === choice) : (probabilities.get(skill.name) ?? 0),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, KEPT);
}
