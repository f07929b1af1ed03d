import type { CoursePeopleRepository } from '../data/coursePeopleRepository.ts';
import type { PaidStudentRepository } from '../data/paidStudentRepository.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import type { TeachingDependencies } from '../teaching/dependencies.ts';

export interface RpcDependencies
  extends Pick<ServiceDependencies, 'courses' | 'classes' | 'enrollments'>,
    Pick<TeachingDependencies, 'instructors'> {
  coursePeople: CoursePeopleRepository;
  paidStudents: PaidStudentRepository;
}
