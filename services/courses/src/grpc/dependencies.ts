import type { ClassRepository } from '../data/classRepository.ts';
import type { CourseRepository } from '../data/courseRepository.ts';
import type { EnrollmentRepository } from '../data/enrollmentRepository.ts';
import type { InstructorRepository } from '../teaching/data/instructorRepository.ts';

export interface RpcDependencies {
  courses: CourseRepository;
  classes: ClassRepository;
  enrollments: EnrollmentRepository;
  instructors: InstructorRepository;
}
