import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';

const id = { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true };

export class CourseModel extends Model<InferAttributes<CourseModel>, InferCreationAttributes<CourseModel>> {
  declare id: CreationOptional<number>;
  declare title: string;
  declare description: string | null;
  declare createdAt: CreationOptional<Date>;
  declare revision: CreationOptional<number>;
  declare deletedAt: CreationOptional<Date | null>;
}

export class ClassModel extends Model<InferAttributes<ClassModel>, InferCreationAttributes<ClassModel>> {
  declare id: CreationOptional<number>;
  declare courseId: number;
  declare title: string;
  declare createdAt: CreationOptional<Date>;
  declare revision: CreationOptional<number>;
  declare deletedAt: CreationOptional<Date | null>;
}

/** The columns of `roster` that describe an enrollment. */
class EnrollmentModel extends Model<
  InferAttributes<EnrollmentModel>,
  InferCreationAttributes<EnrollmentModel>
> {
  declare courseId: number;
  declare userId: number;
  declare isEnrolled: CreationOptional<boolean>;
  declare paid: CreationOptional<boolean>;
  declare revision: CreationOptional<number>;
}

export interface Models {
  Course: typeof CourseModel;
  Class: typeof ClassModel;
  Enrollment: typeof EnrollmentModel;
}

/** Binds the models to a connection. The migrations create the tables. */
export function defineModels(sequelize: Sequelize): Models {
  class Course extends CourseModel {}
  Course.init(
    {
      id,
      title: DataTypes.TEXT,
      description: DataTypes.TEXT,
      createdAt: DataTypes.DATE,
      revision: DataTypes.INTEGER,
      deletedAt: DataTypes.DATE,
    },
    { sequelize, tableName: 'courses' },
  );

  class Class extends ClassModel {}
  Class.init(
    {
      id,
      courseId: DataTypes.INTEGER,
      title: DataTypes.TEXT,
      createdAt: DataTypes.DATE,
      revision: DataTypes.INTEGER,
      deletedAt: DataTypes.DATE,
    },
    { sequelize, tableName: 'classes' },
  );

  class Enrollment extends EnrollmentModel {}
  Enrollment.init(
    {
      courseId: { type: DataTypes.INTEGER, primaryKey: true },
      userId: { type: DataTypes.INTEGER, primaryKey: true },
      isEnrolled: DataTypes.BOOLEAN,
      paid: DataTypes.BOOLEAN,
      revision: DataTypes.INTEGER,
    },
    { sequelize, tableName: 'roster' },
  );
  return { Course, Class, Enrollment };
}
