import { CoursesService, type CoursesServiceHandlers } from '@gradeway/proto/courses';
import type { Rpcs } from '@gradeway/shared/grpcServer';
import type { ServiceDefinition } from '@grpc/grpc-js';
import { checkAccess } from './checkAccess.ts';
import { countCartItems } from './countCartItems.ts';
import { getClasses } from './getClasses.ts';
import { getCourses } from './getCourses.ts';
import { listPaidCourses } from './listPaidCourses.ts';
import type { RpcParts } from './parts.ts';

interface Service {
  definition: ServiceDefinition;
  rpcs: Rpcs<CoursesServiceHandlers>;
}

/** The service's gRPC interface: what the other services may ask. */
export function coursesService(parts: RpcParts): Service {
  return {
    definition: CoursesService.service,
    rpcs: {
      CheckAccess: checkAccess(parts),
      ListPaidCourses: listPaidCourses(parts),
      CountCartItems: countCartItems(parts),
      GetCourses: getCourses(parts),
      GetClasses: getClasses(parts),
    },
  };
}
