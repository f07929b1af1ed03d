import type { VerifyToken } from '@gradeway/shared/accessToken';
import type { Outbox } from '@gradeway/shared/events/outbox';
import type { Health } from '@gradeway/shared/health';
import type { Logger } from '@gradeway/shared/logger';
import type { People } from '@gradeway/shared/people';
import type { PublicUrl } from '@gradeway/shared/publicUrl';
import type { Clock } from '@gradeway/shared/timestamps';
import type { Sequelize } from 'sequelize';
import type { AuthClient } from '../clients/authClient.ts';
import type { SubmissionsClient } from '../clients/submissionsClient.ts';
import type { ClassRepository } from '../data/classRepository.ts';
import type { CourseRepository } from '../data/courseRepository.ts';
import type { EnrollmentRepository } from '../data/enrollmentRepository.ts';
import type { GradeRepository } from '../data/gradeRepository.ts';
import type { StudentRepository } from '../data/studentRepository.ts';
import type { ImportParts } from '../domain/import/parts.ts';
import type { WebhookParts } from '../webhooks/parts.ts';

/** What the routes of this service work with. */
export interface Parts {
  log: Logger;
  health: Health;
  verify: VerifyToken;
  sequelize: Sequelize;
  courses: CourseRepository;
  classes: ClassRepository;
  enrollments: EnrollmentRepository;
  students: StudentRepository;
  grades: GradeRepository;
  people: People;
  auth: AuthClient;
  submissions: SubmissionsClient;
  importing: ImportParts & { directory: string };
  outbox: Outbox;
  clock: Clock;
  publicUrl: PublicUrl;
  webhooks: WebhookParts;
}
