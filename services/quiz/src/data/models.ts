import { SettingsModel, settingsAttributes } from '@gradeway/shared/items/settingsColumns';
import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import type { StartFlag } from '../domain/answerSheet.ts';

// pg returns numeric as text to preserve all digits. These columns have at most 12 digits, which a JavaScript number
// represents exactly.
function decimalColumn(name: string) {
  return {
    type: DataTypes.DECIMAL,
    get(this: Model): number | null {
      const value = this.getDataValue(name) as string | number | null | undefined;
      return value === null || value === undefined ? null : Number(value);
    },
  };
}

const id = { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true };

export class QuizModel extends SettingsModel<InferAttributes<QuizModel>, InferCreationAttributes<QuizModel>> {
  declare id: CreationOptional<number>;
  declare courseId: number;
  declare title: string;
  declare questionsCount: number | null;
  declare totalGrade: number | null;
  declare opensAt: Date | null;
  declare closesAt: Date | null;
  declare durationMinutes: number | null;
  declare questionsFileId: number | null;
  declare createdAt: CreationOptional<Date>;
  declare revision: CreationOptional<number>;
  declare deletedAt: CreationOptional<Date | null>;
}

export class SubmissionModel extends Model<
  InferAttributes<SubmissionModel>,
  InferCreationAttributes<SubmissionModel>
> {
  declare id: CreationOptional<number>;
  declare quizId: number;
  declare courseId: number;
  declare classId: number | null;
  declare studentId: number;
  declare fileId: number | null;
  declare startAt: Date;
  declare durationMinutes: number;
  declare recordedStartAt: Date | null;
  declare flags: CreationOptional<StartFlag[]>;
  declare submittedAt: Date;
  declare grade: CreationOptional<number | null>;
  declare totalGrade: CreationOptional<number | null>;
  declare gradedBy: CreationOptional<number | null>;
  declare gradedAt: CreationOptional<Date | null>;
  declare comment: CreationOptional<string | null>;
  declare revision: CreationOptional<number>;
  declare submittedBy: CreationOptional<number | null>;
  declare lateWaived: CreationOptional<boolean>;
  declare stateRevision: CreationOptional<number>;
}

export interface Models {
  Quiz: typeof QuizModel;
  Submission: typeof SubmissionModel;
}

/** Binds the models to a connection. The files in migrations/ create the tables. */
export function defineModels(sequelize: Sequelize): Models {
  class Quiz extends QuizModel {}
  Quiz.init(
    {
      id,
      courseId: DataTypes.INTEGER,
      title: DataTypes.TEXT,
      questionsCount: DataTypes.INTEGER,
      totalGrade: decimalColumn('totalGrade'),
      opensAt: DataTypes.DATE,
      closesAt: DataTypes.DATE,
      durationMinutes: decimalColumn('durationMinutes'),
      questionsFileId: DataTypes.INTEGER,
      ...settingsAttributes,
      createdAt: DataTypes.DATE,
      revision: DataTypes.INTEGER,
      deletedAt: DataTypes.DATE,
    },
    { sequelize, tableName: 'quizzes' },
  );

  class Submission extends SubmissionModel {}
  Submission.init(
    {
      id,
      quizId: DataTypes.INTEGER,
      courseId: DataTypes.INTEGER,
      classId: DataTypes.INTEGER,
      studentId: DataTypes.INTEGER,
      fileId: DataTypes.INTEGER,
      startAt: DataTypes.DATE,
      durationMinutes: decimalColumn('durationMinutes'),
      recordedStartAt: DataTypes.DATE,
      flags: DataTypes.ARRAY(DataTypes.TEXT),
      submittedAt: DataTypes.DATE,
      grade: decimalColumn('grade'),
      totalGrade: decimalColumn('totalGrade'),
      gradedBy: DataTypes.INTEGER,
      gradedAt: DataTypes.DATE,
      comment: DataTypes.TEXT,
      revision: DataTypes.INTEGER,
      submittedBy: DataTypes.INTEGER,
      lateWaived: DataTypes.BOOLEAN,
      stateRevision: DataTypes.INTEGER,
    },
    { sequelize, tableName: 'submissions' },
  );
  return { Quiz, Submission };
}
