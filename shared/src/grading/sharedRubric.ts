import type { OutlineRepository } from '../questions/outlineRepository.ts';
import type { QueueRepository } from './queueRepository.ts';
import type { RubricRepository } from './rubricRepository.ts';
import type { GivenRubric } from './rubricSchema.ts';

/** A rubric that is copied: its items have no ids. */
export type RubricDocument = Pick<GivenRubric, 'mode' | 'maxPoints' | 'minPoints'> & {
  items: Omit<GivenRubric['items'][number], 'id'>[];
};

/** The rubric of an item or of a question; undefined if the rubric or the question does not exist. */
interface SharedRubric {
  /** The course of the item; only its graders may read the rubric. */
  courseId: number;
  rubric: RubricDocument | undefined;
}

/** Finds a rubric, for an item with `questionId` null. Returns undefined for an unknown item. */
export type FindRubric = (of: {
  itemId: number;
  questionId: number | null;
}) => Promise<SharedRubric | undefined>;

interface Repositories {
  queue: QueueRepository;
  outlines: OutlineRepository;
  rubrics: RubricRepository;
  questionRubrics: RubricRepository;
}

/** Finds the rubrics in the database of this service. */
export const rubricFinder =
  ({ queue, rubrics, questionRubrics, outlines }: Repositories): FindRubric =>
  async ({ itemId, questionId }) => {
    const item = await queue.findItem(itemId);
    if (!item) return undefined;
    const { courseId } = item;
    if (questionId === null) return { courseId, rubric: await rubrics.find(itemId) };
    const exists = await outlines.hasQuestion(itemId, questionId);
    return { courseId, rubric: exists ? await questionRubrics.find(questionId) : undefined };
  };
