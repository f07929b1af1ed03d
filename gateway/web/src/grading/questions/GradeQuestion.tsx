import { useTranslation } from '../../shared/language/useTranslation.ts';
import { BusyButton } from '../../shared/ui/BusyButton.tsx';
import { useGradeNext } from '../item/useGradeNext.ts';
import type { ItemId } from '../queue/gradingTypes.ts';
import type { Question } from '../queue/questionTypes.ts';

interface Props {
  item: ItemId;
  question: Question;
}

/** Claims the next answer to a question and opens the desk for that question. */
export function GradeQuestion({ item, question: { id, label } }: Props) {
  const { t } = useTranslation();
  const { open, isBusy, statusText } = useGradeNext({ ...item, questionId: id });
  return (
    <>
      <BusyButton className="button" onPress={open} isBusy={isBusy}>
        {t('Grade question {label}', { label })}
      </BusyButton>
      <p role="status" className="grade-question-status small">
        {statusText}
      </p>
    </>
  );
}
