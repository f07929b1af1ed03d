import type { Transaction } from 'sequelize';
import { batches } from '../../database/batches.ts';
import type { RubricRepository } from '../../grading/rubricRepository.ts';
import type { CountedOutline, OutlineRepository } from '../outlineRepository.ts';
import type { OutlinedSubmissions } from './outlinedSubmissions.ts';

interface Dependencies {
  outlines: OutlineRepository;
  outlined: OutlinedSubmissions;
  rubrics: RubricRepository;
  questionRubrics: RubricRepository;
}

/**
 * Copies questions with their rubrics to another item. A removed assignment that is now replaced may have questions or
 * a rubric with which submissions were graded. They stay.
 */
export async function copyOutline(
  { outlines, outlined, rubrics, questionRubrics }: Dependencies,
  { questions }: CountedOutline,
  itemId: number,
  transaction: Transaction,
): Promise<void> {
  if (questions.length === 0) return;
  await outlines.lockEditors(itemId, transaction);
  await outlines.lock(itemId, transaction);
  if (await outlines.hasQuestions(itemId, transaction)) return;
  if (await rubrics.find(itemId, transaction)) return;
  const copies = questions.map((question) => ({ ...question, id: null }));
  const ids = await outlines.save(itemId, copies, transaction);
  for (const [index, { rubric }] of questions.entries()) {
    const id = ids[index];
    if (!rubric || id === undefined) continue;
    const items = rubric.items.map((item) => ({ ...item, id: null }));
    await questionRubrics.lock(id, transaction);
    await questionRubrics.save(id, { ...rubric, items }, transaction);
  }
  const submissions = await outlined.ids(itemId, transaction);
  for (const batch of batches(submissions)) await outlined.addAnswers(batch, ids, transaction);
}
