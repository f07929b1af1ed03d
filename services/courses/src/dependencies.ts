import type { AuditTrail } from '@gradeway/shared/audit/auditTrail';
import type { VerifyToken } from '@gradeway/shared/auth/accessToken';
import type { Outbox } from '@gradeway/shared/events/outbox';
import type { PublicUrl } from '@gradeway/shared/http/publicUrl';
import type { Clock } from '@gradeway/shared/http/timestamps';
import type { Health } from '@gradeway/shared/process/health';
import type { Logger } from '@gradeway/shared/process/logger';
import type { UserProjection } from '@gradeway/shared/projections/userProjection';
import type { Sequelize } from 'sequelize';
import type { AuthClient } from './clients/authClient.ts';
import type { ClassRepository } from './data/classRepository.ts';
import type { CourseRepository } from './data/courseRepository.ts';
import type { EnrollmentRepository } from './data/enrollmentRepository.ts';
import type { GradeRepository } from './data/gradeRepository.ts';
import type { StudentRepository } from './data/studentRepository.ts';
import type { RequireReauthentication } from './domain/requireReauthentication.ts';
import type { GridRepository } from './gradebook/data/gridRepository.ts';
import type { OwnGradeRepository } from './gradebook/data/ownGradeRepository.ts';

/** Dependencies of every route, including the features' routes. */
export interface RouteDependencies {
  verify: VerifyToken;
  clock: Clock;
  publicUrl: PublicUrl;
  requireReauthentication: RequireReauthentication;
}

/** Dependencies of courses, classes, students and grades; routes, RPCs and use cases pick what they need. */
export interface ServiceDependencies extends RouteDependencies {
  log: Logger;
  health: Health;
  sequelize: Sequelize;
  courses: CourseRepository;
  classes: ClassRepository;
  enrollments: EnrollmentRepository;
  students: StudentRepository;
  grades: GradeRepository;
  ownGrades: OwnGradeRepository;
  grid: GridRepository;
  userProjection: UserProjection;
  auth: AuthClient;
  outbox: Outbox;
  audit: AuditTrail;
}
