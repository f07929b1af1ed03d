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
  declare isDeleted: boolean;
  declare hasAssignment: boolean;
  /** Computed by PostgreSQL. */
  declare isListed: CreationOptional<boolean>;
}

class AssignmentModel extends Model<
  InferAttributes<AssignmentModel>,
  InferCreationAttributes<AssignmentModel>
> {
  declare classId: number;
  declare deadline: Date | null;
  declare description: string | null;
  declare fileId: number | null;
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
}

class GradingModel extends Model<InferAttributes<GradingModel>, InferCreationAttributes<GradingModel>> {
  declare id: CreationOptional<number>;
  declare submissionId: number;
  declare rating: number;
  declare comment: string | null;
  declare gradedBy: number;
  declare gradedAt: Date;
  declare reason: string;
}

/** A grading as the history of a submission has it. */
export type GradingRow = InferAttributes<GradingModel>;

export interface Models {
  Class: typeof ClassModel;
  Assignment: typeof AssignmentModel;
  Submission: typeof SubmissionModel;
  Grading: typeof GradingModel;
}

/** Binds the models to a connection. The tables are created by migrations/. */
export function defineModels(sequelize: Sequelize): Models {
  class Class extends ClassModel {}
  Class.init(
    {
      classId: { type: DataTypes.INTEGER, primaryKey: true },
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
      deadline: DataTypes.DATE,
      description: DataTypes.TEXT,
      fileId: DataTypes.INTEGER,
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
    },
    { sequelize, tableName: 'submissions' },
  );

  class Grading extends GradingModel {}
  Grading.init(
    {
      id,
      submissionId: DataTypes.INTEGER,
      rating: DataTypes.SMALLINT,
      comment: DataTypes.TEXT,
      gradedBy: DataTypes.INTEGER,
      gradedAt: DataTypes.DATE,
      reason: DataTypes.TEXT,
    },
    { sequelize, tableName: 'gradings' },
  );
  return { Class, Assignment, Submission, Grading };
}
