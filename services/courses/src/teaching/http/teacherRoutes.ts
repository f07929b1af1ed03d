import { jsonBody } from '@gradeway/shared/http/jsonBody';
import { Router } from 'express';
import type { ServiceDependencies } from '../../dependencies.ts';
import { classHandlers } from '../../http/classHandlers.ts';
import type { TeachingDependencies } from '../dependencies.ts';
import { accommodationHandlers } from './accommodationHandlers.ts';
import { courseGuards } from './courseGuards.ts';
import { instructorHandlers } from './instructorHandlers.ts';

/** Routes for teachers to run their courses: instructors, classes and accommodations. */
export function teacherRoutes(dependencies: ServiceDependencies, teaching: TeachingDependencies): Router {
  const router = Router();
  const { grader, teacher, teacherOfClass } = courseGuards(dependencies, teaching);
  const instructors = instructorHandlers(dependencies, teaching);
  const classes = classHandlers(dependencies);
  const accommodations = accommodationHandlers(dependencies, teaching);
  const course = '/api/v3/grading/courses/:course_id';

  router.get(`${course}/instructors`, teacher, instructors.list);
  router.put(`${course}/instructors/:user_id`, teacher, jsonBody, instructors.assign);
  router.delete(`${course}/instructors/:user_id`, teacher, instructors.remove);

  router.get(`${course}/classes`, grader, classes.list);
  router.post(`${course}/classes`, teacher, jsonBody, classes.create);
  router.patch('/api/v3/grading/classes/:class_id', teacherOfClass, jsonBody, classes.change);
  router.delete('/api/v3/grading/classes/:class_id', teacherOfClass, classes.remove);

  router.get(`${course}/accommodations/:student_id`, teacher, accommodations.read);
  router.put(`${course}/accommodations/:student_id`, teacher, jsonBody, accommodations.put);
  router.delete(`${course}/accommodations/:student_id`, teacher, accommodations.remove);

  return router;
}
