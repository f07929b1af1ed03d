import { SettingsModel, settingsAttributes } from '@gradeway/shared/items/settingsColumns';
import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';

const id = { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true };

/** The parts of a projected class that lists depend on. */
class ClassModel extends Model<InferAttributes<ClassModel>, InferCreationAttributes<ClassModel>> {
  declare classId: number;
  declare courseId: number;
  declare title: string;
  declare isDeleted: boolean;
  declare hasAssignment: boolean;
  /** Computed by PostgreSQL. */
  declare isListed: CreationOptional<boolean>;
}

class AssignmentModel extends SettingsModel<
  InferAttributes<AssignmentModel>,
  InferCreationAttributes<AssignmentModel>
> {
  declare classId: number;
  declare closesAt: Date | null;
  declare opensAt: CreationOptional<Date | null>;
  declare description: string | null;
  declare fileId: number | null;
  declare createdAt: CreationOptional<Date>;
  declare revision: CreationOptional<number>;
}

export class SubmissionModel extends Model<
  InferAttributes<SubmissionModel>,
  InferCreationAttributes<SubmissionModel>
> {
  declare id: CreationOptional<number>;
  declare classId: number;
  declare studentId: number;
  declare submittedAt: Date;
  declare rating: CreationOptional<number | null>;
  declare comment: CreationOptional<string | null>;
  declare gradedBy: CreationOptional<number | null>;
  declare gradedAt: CreationOptional<Date | null>;
  declare revision: CreationOptional<number>;
  declare submittedBy: CreationOptional<number | null>;
  declare lateWaived: CreationOptional<boolean>;
  declare stateRevision: CreationOptional<number>;
}

export interface Models {
  Class: typeof ClassModel;
  Assignment: typeof AssignmentModel;
  Submission: typeof SubmissionModel;
}

/** Binds the models to a connection. The files in migrations/ create the tables. */
export function defineModels(sequelize: Sequelize): Models {
  class Class extends ClassModel {}
  Class.init(
    {
      classId: { type: DataTypes.INTEGER, primaryKey: true },
      courseId: DataTypes.INTEGER,
      title: DataTypes.TEXT,
      isDeleted: DataTypes.BOOLEAN,
      hasAssignment: DataTypes.BOOLEAN,
      isListed: DataTypes.BOOLEAN,
    },
    { sequelize, tableName: 'classes' },
  );

  class Assignment extends AssignmentModel {}
  Assignment.init(
    {
      classId: { type: DataTypes.INTEGER, primaryKey: true },
      closesAt: { type: DataTypes.DATE, field: 'deadline' },
      opensAt: DataTypes.DATE,
      description: DataTypes.TEXT,
      fileId: DataTypes.INTEGER,
      ...settingsAttributes,
      createdAt: DataTypes.DATE,
      revision: DataTypes.INTEGER,
    },
    { sequelize, tableName: 'assignments' },
  );

  class Submission extends SubmissionModel {}
  Submission.init(
    {
      id,
      classId: DataTypes.INTEGER,
      studentId: DataTypes.INTEGER,
      submittedAt: DataTypes.DATE,
      rating: DataTypes.SMALLINT,
      comment: DataTypes.TEXT,
      gradedBy: DataTypes.INTEGER,
      gradedAt: DataTypes.DATE,
      revision: DataTypes.INTEGER,
      submittedBy: DataTypes.INTEGER,
      lateWaived: DataTypes.BOOLEAN,
      stateRevision: DataTypes.INTEGER,
    },
    { sequelize, tableName: 'submissions' },
  );
  return { Class, Assignment, Submission };
}
