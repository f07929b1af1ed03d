import { CoursesService, type CoursesServiceHandlers } from '@gradeway/proto/courses';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import type { ServiceDefinition } from '@grpc/grpc-js';
import { checkAccess } from './checkAccess.ts';
import { countCartItems } from './countCartItems.ts';
import type { RpcDependencies } from './dependencies.ts';
import { getClasses } from './getClasses.ts';
import { getCourses } from './getCourses.ts';
import { listPaidCourses } from './listPaidCourses.ts';

interface Service {
  definition: ServiceDefinition;
  rpcs: Rpcs<CoursesServiceHandlers>;
}

/** The gRPC interface of the service. */
export function coursesService(dependencies: RpcDependencies): Service {
  return {
    definition: CoursesService.service,
    rpcs: {
      CheckAccess: checkAccess(dependencies),
      ListPaidCourses: listPaidCourses(dependencies),
      CountCartItems: countCartItems(dependencies),
      GetCourses: getCourses(dependencies),
      GetClasses: getClasses(dependencies),
    },
  };
}
