import type { components } from '../../../apiTypes/schema.ts';

/** The two kinds of work, as the paths of the API name them. */
export type Kind = 'quizzes' | 'homeworks';

/** A quiz or an assignment as the list of work to grade describes it. */
export type GradingItem = components['schemas']['GradingItem'];
