import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';
import type { Course } from '../domain/course.ts';
import { courseState } from './courseState.ts';

export const courseChanged = (course: Course): CloudEvent =>
  createEvent('courses', 'course.changed.v1', `courses/${course.id}`, courseState(course));
