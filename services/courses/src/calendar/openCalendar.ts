import type { AuditTrail } from '@gradeway/shared/audit/auditTrail';
import type { Sequelize } from 'sequelize';
import type { AuthClient } from '../clients/authClient.ts';
import { CalendarItemRepository } from './data/calendarItemRepository.ts';
import { CalendarRepository } from './data/calendarRepository.ts';
import type { CalendarDependencies } from './dependencies.ts';

interface Shared {
  sequelize: Sequelize;
  auth: AuthClient;
  audit: AuditTrail;
}

/** Opens the repositories for calendars. */
export const openCalendar = ({ sequelize, auth, audit }: Shared): CalendarDependencies => ({
  ...{ sequelize, auth, audit },
  calendars: new CalendarRepository(sequelize),
  calendarItems: new CalendarItemRepository(sequelize),
});
