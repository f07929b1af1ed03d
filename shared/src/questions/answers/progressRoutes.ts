import { type RequestHandler, Router } from 'express';
import type { GraderDependencies } from '../../grading/dependencies.ts';
import { requireItem } from '../../grading/itemRoutes.ts';
import { deletedUserName } from '../../projections/deletedUserName.ts';
import type { QuestionProgress } from '../answerStatisticsRepository.ts';

/** `GET …/{item_id}/progress`: how many answers to each question are graded, and by whom. */
export function progressRoutes(dependencies: GraderDependencies, grader: RequestHandler): Router {
  const { kind, answerStatistics } = dependencies;
  const router = Router();

  router.get(`/api/v3/grading/${kind.name}/:item_id/progress`, grader, async (req, res) => {
    const itemId = await requireItem(dependencies, req, res);
    const questions = await answerStatistics.progress(itemId);
    res.json({ data: questions.map(serializeProgress) });
  });

  return router;
}

const serializeProgress = ({ questionId, label, graded, total, mean, graders }: QuestionProgress) => ({
  question_id: questionId,
  ...{ label, graded, total, mean },
  graders: graders.map(({ id, name, graded: count }) => ({
    id,
    name: name ?? deletedUserName,
    graded: count,
  })),
});
