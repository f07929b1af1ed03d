import { openDatabase } from '@gradeway/shared/database/connection';
import { defineCommand } from '@gradeway/shared/process/runCommand';
import { settings } from '../config.ts';
import { countExpiredEntries } from '../data/auditRetention.ts';

const { databaseUrl, retentionAuditLog } = settings;

export const countExpired = defineCommand({
  title: 'auth: retention',
  summary: 'counts the audit entries past their retention; deletes nothing',
  settings: { databaseUrl, retentionAuditLog },
  async work({ config, onStop }) {
    const sequelize = openDatabase({ url: config.databaseUrl, name: 'auth retention', pool: 1 });
    onStop(() => sequelize.close());
    if (config.retentionAuditLog === 0) return 'auth: no retention is set, every audit entry is kept';
    const entries = await countExpiredEntries(sequelize, config.retentionAuditLog);
    return `auth: ${entries} audit entries would be deleted`;
  },
});
