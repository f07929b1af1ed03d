import { type Ref, useImperativeHandle, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import type { Detail } from '../queue/gradingTypes.ts';
import { CommentField } from './CommentField.tsx';
import { type Draft, type DraftField, gradeOf } from './draft.ts';
import { NumberField } from './NumberField.tsx';
import type { Graded } from './questionSheet.ts';
import { RubricItems } from './RubricItems.tsx';
import { withNone, withToggled } from './selectionPoints.ts';

export interface GradeFormHandle {
  focusGrade(): void;
  focusComment(): void;
  showErrors(errors: Partial<Record<DraftField, string>>): void;
}

interface Props {
  ref: Ref<GradeFormHandle>;
  graded: Graded;
  courseId: number | undefined;
  detail: Detail;
  draft: Draft;
  onChange(form: Partial<Draft>): void;
  onSave(goesOn: boolean): void;
  onSkip(): void;
}

export function GradeForm({ ref, graded, courseId, detail, draft, onChange, onSave, onSkip }: Props) {
  const { t } = useTranslation();
  const { rubric } = detail;
  const [errors, setErrors] = useState<Partial<Record<DraftField, string>>>({});
  const fields = {
    selection: useRef<HTMLInputElement>(null),
    grade: useRef<HTMLInputElement>(null),
    total: useRef<HTMLInputElement>(null),
    adjustment: useRef<HTMLInputElement>(null),
    comment: useRef<HTMLTextAreaElement>(null),
  };

  useImperativeHandle(ref, () => ({
    focusGrade: () => {
      fields.grade.current?.focus();
      fields.grade.current?.select();
    },
    focusComment: () => fields.comment.current?.focus(),
    showErrors: (found) => {
      setErrors(found);
      const [first] = Object.keys(found) as DraftField[];
      if (first) fields[first].current?.focus();
    },
  }));

  const change = (form: Partial<Draft>) => {
    setErrors({});
    onChange(form);
  };
  const isByRubric = draft.by === 'rubric';
  const computed = gradeOf(draft, detail, graded);
  const grade = isByRubric ? String(computed ?? '') : draft.grade;
  const total = isByRubric && rubric ? String(rubric.max_points) : draft.total;
  const errorOf = (field: DraftField) => (errors[field] === undefined ? undefined : t(errors[field]));

  return (
    <form
      className="grade-form"
      aria-label={t('Grade')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSave(false);
      }}
    >
      <div className="grade-fields">
        {rubric && (
          <RubricItems
            ref={fields.selection}
            rubric={rubric}
            selection={draft.selection}
            noneApplies={draft.noneApplies}
            error={errorOf('selection')}
            onToggle={(id) => change({ by: 'rubric', ...withToggled(rubric, draft, id) })}
            onToggleNone={() => change({ by: 'rubric', ...withNone(draft) })}
          />
        )}
        <div className="grade-numbers">
          {rubric && (
            <NumberField
              ref={fields.adjustment}
              name={t('Adjustment')}
              value={draft.adjustment}
              error={errorOf('adjustment')}
              onChange={(adjustment) => change({ by: 'rubric', adjustment })}
            />
          )}
          <NumberField
            ref={fields.grade}
            name={t('Grade')}
            value={grade}
            min={graded === 'homeworks' ? 1 : 0}
            max={
              graded === 'homeworks'
                ? 10
                : graded === 'question'
                  ? (detail.total_grade ?? undefined)
                  : undefined
            }
            error={errorOf('grade')}
            onChange={(typed) => change({ by: 'hand', grade: typed, total })}
          />
          {graded === 'quizzes' && (
            <NumberField
              ref={fields.total}
              name={t('Out of')}
              value={total}
              min={0}
              error={errorOf('total')}
              onChange={(typed) => change({ by: 'hand', grade, total: typed })}
            />
          )}
        </div>
        {rubric && !isByRubric && (
          <p className="by-hand small">
            <span className="quiet">{t('This grade was entered by hand.')}</span>
            <Button className="button plain" onPress={() => change({ by: 'rubric' })}>
              {t('Use the rubric')}
            </Button>
          </p>
        )}
        <CommentField
          ref={fields.comment}
          courseId={courseId}
          value={draft.comment}
          error={errorOf('comment')}
          onChange={(comment) => change({ comment })}
        />
      </div>
      <div className="grade-buttons">
        <Button className="button primary" onPress={() => onSave(true)}>
          {t('Save and next')}
        </Button>
        <Button type="submit" className="button">
          {t('Save')}
        </Button>
        <Button className="button plain" onPress={onSkip}>
          {t('Skip')}
        </Button>
      </div>
    </form>
  );
}
