import type { CloudEvent } from '@gradeway/shared/events/cloudEvent';
import { itemChanged } from '@gradeway/shared/items/itemEvents';
import type { HomeworkState } from '../data/homeworkRepository.ts';
import { publishedHomework } from '../domain/homework.ts';

/** The event with the current state of an assignment. */
export const homeworkChanged = ({ isDeleted, ...homework }: HomeworkState): CloudEvent =>
  itemChanged('homework', publishedHomework(homework, homework, isDeleted));
