import {
  type GradeSummary,
  type QuestionSummary,
  type RubricLine,
  shortDecimal,
  signedPoints,
} from '../mark.ts';
import type { FontSet } from '../text/fontSet.ts';
import { palette } from './palette.ts';
import { Column, type SummaryPage } from './summaryColumn.ts';

const indent = 24;
const pointsWidth = 56;

/** The fixed words of the page. */
export const summaryWords = [
  'Feedback',
  'Not graded yet',
  'Rubric',
  'Adjustment',
  'Questions',
  'Comment',
] as const;

/** The last page: the grade, the selected items of the rubric, the questions and the comment. */
export function drawSummary(fonts: FontSet, summary: GradeSummary): SummaryPage {
  const page = new Column(fonts);
  page.text('Feedback', { size: 10, weight: 600, color: palette.accent });
  page.space(6);
  page.text(summary.title, { size: 22, weight: 600, lineHeight: 1.25 });
  if (summary.student) {
    page.space(2);
    page.text(summary.student, { size: 12, color: palette.grey });
  }
  page.space(30);
  drawGrade(page, summary.grade);
  if (summary.rubric) drawRubric(page, summary.rubric);
  if (summary.questions?.length) drawQuestions(page, summary.questions);
  if (summary.comment?.trim()) {
    page.heading('Comment');
    page.text(summary.comment, { size: 11.5, lineHeight: 1.6 });
  }
  return page.finish();
}

function drawGrade(page: Column, grade: GradeSummary['grade']): void {
  if (!grade) {
    page.text('Not graded yet', { size: 20, color: palette.grey });
    return;
  }
  const points = shortDecimal(grade.points);
  const width = page.measure(points, { size: 46, weight: 600 });
  const total = `/ ${shortDecimal(grade.total)}`;
  // Equal line heights put both on one baseline, which is a fixed fraction of the line height.
  page.beside(total, { size: 20, lineHeight: (46 * 1.1) / 20, color: palette.grey, left: width + 10 });
  page.text(points, { size: 46, weight: 600, lineHeight: 1.1, color: palette.accent });
  page.space(12);
  page.bar(Number(grade.total) > 0 ? Number(grade.points) / Number(grade.total) : 0);
}

function drawQuestions(page: Column, questions: readonly QuestionSummary[]): void {
  page.heading('Questions');
  for (const { label, title, points, maxPoints, items, comment } of questions) {
    const gained = points === null ? '–' : shortDecimal(points);
    page.beside(`${gained} / ${shortDecimal(maxPoints)}`, { size: 11, weight: 600, align: 'right' });
    page.text(title?.trim() ? `${label}  ${title}` : label, {
      size: 11,
      weight: 600,
      right: 2 * pointsWidth,
    });
    for (const item of items) {
      const sign = item.points.startsWith('-') ? 'subtract' : 'add';
      page.beside(signedPoints(item.points.replace(/^-/, ''), sign), { size: 10, align: 'right' });
      page.text(item.text, { size: 10, left: indent, right: pointsWidth });
    }
    if (comment?.trim())
      page.text(comment, { size: 10, color: palette.grey, left: indent, right: pointsWidth });
    page.space(9);
  }
}

function drawRubric(page: Column, rubric: NonNullable<GradeSummary['rubric']>): void {
  const selected = rubric.lines.filter((line) => line.selected);
  if (selected.length === 0 && Number(rubric.adjustment ?? 0) === 0) return;
  page.heading('Rubric');
  let group: string | null | undefined;
  for (const item of selected) {
    if (item.group && item.group !== group) {
      page.space(4);
      page.text(item.group, { size: 9.5, weight: 600, color: palette.grey });
      page.space(4);
    }
    group = item.group;
    drawItem(page, item, signedPoints(item.points, rubric.mode));
  }
  const adjustment = rubric.adjustment ?? '0';
  const isNegative = adjustment.startsWith('-');
  const points = signedPoints(adjustment.replace(/^[-+]/, ''), isNegative ? 'subtract' : 'add');
  if (points === '0') return;
  page.space(4);
  page.beside(points, { size: 11, weight: 600, align: 'right' });
  page.text('Adjustment', { size: 11, left: indent });
}

function drawItem(page: Column, { text, explanation }: RubricLine, points: string): void {
  page.tick();
  page.beside(points, { size: 11, weight: 600, align: 'right' });
  page.text(text, { size: 11, weight: 600, left: indent, right: pointsWidth });
  if (explanation?.trim())
    page.text(explanation, { size: 9.5, color: palette.grey, left: indent, right: pointsWidth });
  page.space(9);
}
