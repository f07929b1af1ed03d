import { CoursesService, type CoursesServiceHandlers } from '@gradeway/proto/courses';
import type { GrpcService } from '@gradeway/shared/grpc/server';
import { checkAccess } from './checkAccess.ts';
import { checkCoursePerson } from './checkCoursePerson.ts';
import { checkTeacher } from './checkTeacher.ts';
import { checkTeaching } from './checkTeaching.ts';
import { countCartItems } from './countCartItems.ts';
import type { RpcDependencies } from './dependencies.ts';
import { getClasses } from './getClasses.ts';
import { getCourses } from './getCourses.ts';
import { getEnrollments } from './getEnrollments.ts';
import { listCoursePeople } from './listCoursePeople.ts';
import { listPaidCourses } from './listPaidCourses.ts';
import { listStudents } from './listStudents.ts';
import { listTaughtCourses } from './listTaughtCourses.ts';

/** The gRPC API of the service. */
export function coursesService(dependencies: RpcDependencies): GrpcService<CoursesServiceHandlers> {
  return {
    definition: CoursesService.service,
    callers: {
      CheckAccess: ['homework', 'quiz'],
      ListPaidCourses: ['homework', 'quiz'],
      CheckTeaching: ['homework', 'quiz'],
      ListTaughtCourses: ['homework', 'quiz'],
      CheckTeacher: ['auth'],
      CountCartItems: ['auth'],
      ListCoursePeople: ['auth'],
      CheckCoursePerson: ['auth'],
      GetCourses: ['homework', 'quiz'],
      GetClasses: ['homework'],
      ListStudents: ['homework', 'quiz'],
      GetEnrollments: ['homework', 'quiz'],
    },
    rpcs: {
      CheckAccess: checkAccess(dependencies),
      ListPaidCourses: listPaidCourses(dependencies),
      CheckTeaching: checkTeaching(dependencies),
      ListTaughtCourses: listTaughtCourses(dependencies),
      CheckTeacher: checkTeacher(dependencies),
      CountCartItems: countCartItems(dependencies),
      ListCoursePeople: listCoursePeople(dependencies),
      CheckCoursePerson: checkCoursePerson(dependencies),
      GetCourses: getCourses(dependencies),
      GetClasses: getClasses(dependencies),
      ListStudents: listStudents(dependencies),
      GetEnrollments: getEnrollments(dependencies),
    },
  };
}
