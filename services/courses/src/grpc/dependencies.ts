import type { ClassRepository } from '../data/classRepository.ts';
import type { CourseRepository } from '../data/courseRepository.ts';
import type { EnrollmentRepository } from '../data/enrollmentRepository.ts';

export interface RpcDependencies {
  courses: CourseRepository;
  classes: ClassRepository;
  enrollments: EnrollmentRepository;
}
