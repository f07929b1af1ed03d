import type { AuditTrail } from '@gradeway/shared/audit/auditTrail';
import type { Sequelize } from 'sequelize';
import type { AuthClient } from '../clients/authClient.ts';
import type { CalendarItemRepository } from './data/calendarItemRepository.ts';
import type { CalendarRepository } from './data/calendarRepository.ts';

export interface CalendarDependencies {
  sequelize: Sequelize;
  calendars: CalendarRepository;
  calendarItems: CalendarItemRepository;
  auth: AuthClient;
  audit: AuditTrail;
}
