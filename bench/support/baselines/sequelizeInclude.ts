// The quiz list as in Sequelize's tutorial: findAll with include. Listens on PORT. Uses the stored total, because a
// count would only make it slower.
import express from 'express';
import { DataTypes, QueryTypes, Sequelize } from 'sequelize';

const sequelize = new Sequelize(process.env.DATABASE_URL ?? '', {
  logging: false,
  pool: { max: 10 },
  define: { underscored: true, timestamps: false },
});
// A new one for each model: Sequelize writes the column's name into it.
const id = () => ({ type: DataTypes.INTEGER, primaryKey: true });
const Quiz = sequelize.define(
  'quiz',
  {
    id: id(),
    title: DataTypes.TEXT,
    questionsCount: DataTypes.INTEGER,
    totalGrade: DataTypes.DECIMAL,
    questionsFileId: DataTypes.INTEGER,
    createdAt: DataTypes.DATE,
    deletedAt: DataTypes.DATE,
  },
  { tableName: 'quizzes' },
);
const Submission = sequelize.define(
  'submission',
  {
    id: id(),
    fileId: DataTypes.INTEGER,
    grade: DataTypes.DECIMAL,
    totalGrade: DataTypes.DECIMAL,
    submittedAt: DataTypes.DATE,
  },
  { tableName: 'submissions' },
);
const Person = sequelize.define(
  'person',
  { userId: id(), firstName: DataTypes.TEXT, lastName: DataTypes.TEXT },
  { tableName: 'people' },
);
Quiz.hasMany(Submission, { as: 'submissions', foreignKey: 'quizId' });
Submission.belongsTo(Person, { as: 'student', foreignKey: 'studentId', targetKey: 'userId' });

const app = express();
app.get('/quizzes', async (req, res) => {
  const [counted] = await sequelize.query<{ total: number }>('SELECT total FROM quiz_total', {
    type: QueryTypes.SELECT,
  });
  const quizzes = await Quiz.findAll({
    where: { deletedAt: null },
    include: [{ model: Submission, as: 'submissions', include: [{ model: Person, as: 'student' }] }],
    order: [
      ['createdAt', 'DESC'],
      ['id', 'DESC'],
      [{ model: Submission, as: 'submissions' }, 'submittedAt', 'ASC'],
    ],
    limit: 15,
    offset: (Number(req.query.page) - 1) * 15,
  });
  res.json({ data: quizzes, total: counted?.total });
});
app.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.('ready'));
