import type { EventHandler } from '@gradeway/shared/events/consumeEvents';
import type { Sequelize } from 'sequelize';
import { saveQuizTitle } from '../data/quizTitles.ts';

export const onQuizChanged =
  (sequelize: Sequelize): EventHandler<'quiz.changed.v1'> =>
  (quiz, transaction) =>
    saveQuizTitle(sequelize, quiz, transaction);
