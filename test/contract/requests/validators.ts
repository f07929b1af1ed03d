import { pageSchema } from '@gradeway/shared/http/pagination';
import { createClock } from '@gradeway/shared/http/timestamps';
import { z } from 'zod';
import * as tokens from '../../../services/auth/src/apiTokens/http/schemas.ts';
import { auditQuery } from '../../../services/auth/src/http/auditQuery.ts';
import { receiptFields } from '../../../services/auth/src/http/receiptRoutes.ts';
import * as auth from '../../../services/auth/src/http/schemas.ts';
import { archiveQuery } from '../../../services/courses/src/export/http/schemas.ts';
import * as courses from '../../../services/courses/src/http/schemas.ts';
import { importBody, importQuery } from '../../../services/courses/src/import/http/schemas.ts';
import { preferenceChanges } from '../../../services/courses/src/notifications/http/schemas.ts';
import * as teaching from '../../../services/courses/src/teaching/http/schemas.ts';
import * as webhooks from '../../../services/courses/src/webhooks/http/schemas.ts';
import { listFilter } from '../../../services/homework/src/http/adminRoutes.ts';
import * as homework from '../../../services/homework/src/http/schemas.ts';
import * as assignments from '../../../services/homework/src/http/teacherSchemas.ts';
import * as quiz from '../../../services/quiz/src/http/schemas.ts';
import * as quizzes from '../../../services/quiz/src/http/teacherSchemas.ts';
import { dryRunQuery, tokenBody } from '../../../shared/src/csv/tableRequest.ts';
import { answerGradingSchema, gradingSchema } from '../../../shared/src/grading/gradingSchema.ts';
import { exportQuery, rubricQuery, rubricSchema } from '../../../shared/src/grading/rubricSchema.ts';
import * as grading from '../../../shared/src/grading/schemas.ts';
import { allowanceSchema, allowancesSchema } from '../../../shared/src/items/allowanceSchema.ts';
import { everyoneQuery } from '../../../shared/src/items/everyoneRoutes.ts';
import { handInFields } from '../../../shared/src/items/handInRoutes.ts';
import { waiverSchema } from '../../../shared/src/items/latenessRoutes.ts';
import * as groups from '../../../shared/src/questions/groups/groupSchemas.ts';
import { outlineSchema } from '../../../shared/src/questions/outline/outlineSchema.ts';
import { pagesSchema } from '../../../shared/src/questions/pages/pagesSchema.ts';
import * as reviews from '../../../shared/src/questions/reviews/reviewSchemas.ts';

const clock = createClock('UTC');
const page = pageSchema(15);
const filesOnly = z.object({});
// One operation for both kinds of items, each of which accepts its own fields.
const itemFields = quizzes.quizFields.extend(assignments.assignmentFields.shape);
const targetFields = quizzes.quizTargetFields.extend(assignments.assignmentTargetFields.shape).partial();
const { credentialFields, codeFields, deviceFields } = auth;
// Without a type in the body, the type in the header applies, or the default.
const device = { ...deviceFields, device_type: deviceFields.device_type.optional() };

/** The zod schemas that validate a request. A query may be read in several steps. */
export interface Validators {
  query?: z.ZodType[];
  json?: z.ZodType;
  form?: z.ZodType;
}

/** Operations whose query zod does not validate, and why. */
export const unvalidated: Record<string, string> = {
  readFile: 'the signature covers the query',
  readAnnotatedFile: 'the signature covers the query',
  startSignIn: 'a browser gets no JSON: whatever is no page leads to the start page',
  finishSignIn: 'the OpenID library validates the response of the provider',
  openSessionBySecondFactor: 'the gateway reads two texts',
  endProviderSessions: 'the form is validated with its token',
  openUnsubscribePage: 'the token is one that was issued, or the link is unknown',
  unsubscribe: 'the token is one that was issued, or the link is unknown',
  importRubric: 'the body is one of two objects',
  importQuestionRubric: 'the body is one of two objects',
  setQuestionRubric: 'the only accepted maximum is that of the question',
};

/** The validators of each operation with a query or a body, excluding files. */
export const validators: Record<string, Validators> = {
  login: { json: z.object({ ...credentialFields, ...device }) },
  // The gateway chooses one of the two logins based on the fields.
  openSession: {
    json: z.object({
      ...credentialFields,
      ...codeFields,
      password: credentialFields.password.optional(),
      code: codeFields.code.optional(),
      ...device,
    }),
  },
  sendLoginCode: { json: auth.codeRequestFields },
  loginWithCode: { json: z.object({ ...codeFields, ...device }) },
  changePassword: { json: auth.passwordFields },
  reauthenticate: { json: auth.reauthenticationFields },
  confirmTotp: { json: auth.totpCodeFields },
  deleteTotp: { json: auth.totpCodeFields },
  listUsers: { query: [page, auth.userFilter] },
  searchInstructors: { query: [page, auth.instructorFilter] },
  createUser: { json: auth.userFields },
  changeUser: { json: auth.userChanges },
  listOwnSessions: { query: [page] },
  listOwnTokens: { query: [page] },
  createOwnToken: { json: tokens.personalTokenFields },
  listServiceAccounts: { query: [page] },
  createServiceAccount: { json: tokens.serviceAccountFields },
  changeServiceAccount: { json: tokens.serviceAccountChanges },
  createServiceToken: { json: tokens.serviceTokenFields },
  listOwnIdentities: { query: [page] },
  listOwnDevices: { query: [page] },
  listDevicesOfUser: { query: [page] },
  changeDevice: { json: auth.deviceChanges },
  listAuditEntries: { query: [auditQuery] },
  verifyReceipt: { json: receiptFields },

  listCourses: { query: [page] },
  createCourse: { json: courses.courseFields },
  changeCourse: { json: courses.courseChanges },
  listClasses: { query: [page] },
  createClass: { json: courses.classFields },
  changeClass: { json: courses.classChanges },
  listCourseStudents: { query: [page, courses.studentQuery] },
  enrollStudent: { json: courses.enrollmentFields },
  listOwnCourses: { query: [page] },
  listOwnGrades: { query: [page] },
  readGradebook: { query: [page, courses.gradebookQuery] },
  listInstructors: { query: [page] },
  assignInstructor: { json: teaching.instructorFields },
  listTeam: { query: [page] },
  assignTeamMember: { json: teaching.instructorFields },
  listClassesForGrader: { query: [page] },
  createClassAsTeacher: { json: courses.classFields },
  changeClassAsTeacher: { json: courses.classChanges },
  setAccommodation: { json: teaching.accommodationFields },
  listGradingCourses: { query: [page] },
  listStudentsForGrader: { query: [page, courses.studentQuery] },
  readGradebookForGrader: { query: [page, courses.gradebookQuery] },
  listComments: { query: [page, teaching.commentFilter] },
  createComment: { json: teaching.commentFields },
  changeComment: { json: teaching.commentChanges },
  downloadCourseSubmissions: { query: [archiveQuery] },
  importArchive: { query: [importQuery], json: importBody, form: filesOnly },
  importRoster: { query: [dryRunQuery], json: tokenBody, form: filesOnly },
  importGrades: { query: [dryRunQuery], json: tokenBody, form: filesOnly },
  listWebhooks: { query: [page] },
  createWebhook: { json: webhooks.subscriptionFields },
  changeWebhook: { json: webhooks.subscriptionChanges },
  rotateWebhookSecret: { json: webhooks.rotationFields },
  replayFailedDeliveries: { json: webhooks.replayFields(clock) },
  listWebhookDeliveries: { query: [page, webhooks.deliveryFilter] },

  changeNotifications: { json: preferenceChanges('user') },

  listHomeworks: { query: [page, listFilter] },
  setAssignment: { json: homework.assignmentSchema(clock), form: homework.assignmentSchema(clock) },
  gradeHomework: { json: homework.gradeSchema },
  listHomeworkGradings: { query: [page] },
  listOwnHomeworks: { query: [page] },
  submitHomework: { form: filesOnly },

  createQuizAsTeacher: { json: quizzes.newQuizFields, form: quizzes.newQuizFields },
  setAssignmentAsTeacher: { json: assignments.assignmentFields, form: assignments.assignmentFields },
  changeItem: { json: itemFields, form: itemFields },
  copyItem: { json: targetFields },
  listGradingItems: { query: [page, grading.itemFilter] },
  listQueue: { query: [grading.queueQuery] },
  claimNextSubmission: { json: grading.nextSchema },
  readRubric: { query: [exportQuery] },
  setRubric: { query: [rubricQuery], json: rubricSchema() },
  setOutline: { query: [rubricQuery], json: outlineSchema },
  readQuestionRubric: { query: [exportQuery] },
  // For homework, `grade` is a rating and `total_grade` is ignored.
  gradeSubmission: { json: gradingSchema(quiz.gradeFields) },
  claimSubmission: { query: [grading.claimQuery] },
  gradeAnswer: { json: answerGradingSchema },
  claimAnswer: { query: [grading.claimQuery] },
  listGradingHistory: { query: [page, grading.historyQuery] },
  listAllowances: { query: [page] },
  setAllowances: { json: allowancesSchema },
  setAllowance: { json: allowanceSchema },
  waiveLateness: { json: waiverSchema },
  listEveryone: { query: [everyoneQuery] },
  listAnswerGroups: { query: [page] },
  createAnswerGroup: { json: groups.newGroupSchema },
  changeAnswerGroup: { json: groups.groupChangeSchema },
  gradeAnswerGroup: { json: answerGradingSchema },
  setPages: { json: pagesSchema },
  setOwnQuizPages: { json: pagesSchema },
  setOwnHomeworkPages: { json: pagesSchema },
  listReviews: { query: [page, reviews.reviewFilter] },
  openReview: { json: reviews.newReviewSchema },
  closeReview: { json: reviews.closedReviewSchema },
  listOwnQuizReviews: { query: [page] },
  askForQuizReview: { json: reviews.newReviewSchema },
  listOwnHomeworkReviews: { query: [page] },
  askForHomeworkReview: { json: reviews.newReviewSchema },
  // Homework has `files`.
  submitForStudent: { form: handInFields('file') },

  listQuizzes: { query: [page] },
  createQuiz: { form: quiz.newQuizSchema(clock) },
  changeQuiz: { json: quiz.quizChangesSchema(clock), form: quiz.quizChangesSchema(clock) },
  gradeQuiz: { json: quiz.gradeSchema },
  listQuizGradings: { query: [page] },
  listAvailableQuizzes: { query: [page] },
  listOwnQuizSubmissions: { query: [page] },
  submitAnswerSheet: { form: quiz.answerSheetSchema(clock) },
};
