import type { ProtoGrpcType } from './generated/courses.ts';
import { loadPackage } from './loadPackage.ts';

export type { CheckAccessResponse__Output as Access } from './generated/gradeway/courses/v1/CheckAccessResponse.ts';
export type { Class__Output as Class } from './generated/gradeway/courses/v1/Class.ts';
export type { Course__Output as Course } from './generated/gradeway/courses/v1/Course.ts';
export type {
  CoursesServiceClient,
  CoursesServiceHandlers,
} from './generated/gradeway/courses/v1/CoursesService.ts';
export type { ListStudentsRequest__Output as ListStudentsRequest } from './generated/gradeway/courses/v1/ListStudentsRequest.ts';
export type { ListStudentsResponse__Output as ListStudentsResponse } from './generated/gradeway/courses/v1/ListStudentsResponse.ts';
export type { Student__Output as Student } from './generated/gradeway/courses/v1/Student.ts';

/** Client constructor of CoursesService; `.service` is its definition for a server. */
export const CoursesService = loadPackage<ProtoGrpcType>('gradeway/courses/v1/courses.proto').gradeway.courses
  .v1.CoursesService;
