import type { ClassRepository } from '../data/classRepository.ts';
import type { CourseRepository } from '../data/courseRepository.ts';
import type { EnrollmentRepository } from '../data/enrollmentRepository.ts';

/** What the RPCs of this service work with. */
export interface RpcDependencies {
  courses: CourseRepository;
  classes: ClassRepository;
  enrollments: EnrollmentRepository;
}
