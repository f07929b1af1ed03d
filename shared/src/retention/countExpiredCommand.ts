import type { Setting } from '../config/readConfig.ts';
import { openDatabase } from '../database/connection.ts';
import { type Command, defineCommand } from '../process/runCommand.ts';
import { countExpiredFiles, type RetentionQueries } from './retention.ts';

type RetentionSettings = {
  databaseUrl: Setting<string>;
  retentionReplacedFiles: Setting<number>;
  retentionFinishedCourses: Setting<number>;
};

export const countExpiredCommand = (
  service: 'homework' | 'quiz',
  settings: RetentionSettings,
  queries: RetentionQueries,
): Command =>
  defineCommand({
    title: `${service}: retention`,
    summary: 'counts the files past their retention; deletes nothing',
    settings,
    async work({ config, onStop }) {
      const sequelize = openDatabase({ url: config.databaseUrl, name: `${service} retention`, pool: 1 });
      onStop(() => sequelize.close());
      const counts = await countExpiredFiles({ sequelize, queries, periods: config });
      if (counts.length === 0) return `${service}: no retention is set, every file is kept`;
      return counts.map(({ what, files }) => `${service}: ${files} ${what} would be deleted`).join('\n');
    },
  });
