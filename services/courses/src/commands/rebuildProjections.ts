import { openDatabase } from '@gradeway/shared/database/connection';
import { defineCommand } from '@gradeway/shared/process/runCommand';
import { rebuildUserProjection } from '@gradeway/shared/projections/rebuildUserProjection';
import { settings } from '../config.ts';
import { CourseRepository } from '../data/courseRepository.ts';
import { defineModels } from '../data/models.ts';
import { StudentRepository, selectReferencedUsers } from '../data/studentRepository.ts';
import { StatisticsRepository } from '../gradebook/data/statisticsRepository.ts';

// Counting the grades of a large school exceeds the usual statement timeout.
const statementTimeoutMs = 300_000;

/**
 * Safe at any time, because an older revision never overwrites a newer one. To restore grades and quiz titles, run the
 * commands of homework and quiz with the same name.
 */
export const rebuildProjections = defineCommand({
  title: 'courses: projections',
  summary: 'reloads all names, and counts the students of every course and the grades of every item',
  settings,
  async work(context) {
    const sequelize = openDatabase({
      url: context.config.databaseUrl,
      name: 'courses projections',
      pool: 2,
      statementTimeoutMs,
    });
    context.onStop(() => sequelize.close());
    const options = { service: 'courses', sequelize, referenced: selectReferencedUsers } as const;
    const names = await rebuildUserProjection(context, options);
    await new StudentRepository(sequelize).copyNames();
    const courses = new CourseRepository(sequelize, defineModels(sequelize));
    const counts = await courses.correctStudentCounts();
    const statistics = await new StatisticsRepository(sequelize).correct();
    return `courses: ${names} names fetched, ${counts} student counts and ${statistics} statistics corrected`;
  },
});
