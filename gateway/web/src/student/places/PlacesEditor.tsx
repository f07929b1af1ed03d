import { type ReactNode, useId, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import type { Kind } from '../../shared/api/workTypes.ts';
import { useFormRequest } from '../../shared/form/useFormRequest.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { BusyButton } from '../../shared/ui/BusyButton.tsx';
import { ErrorNotice } from '../../shared/ui/ErrorNotice.tsx';
import { useLostFocus } from '../handIn/useLostFocus.ts';
import type { ListedQuestion } from '../records/studentTypes.ts';
import type { OwnSubmission } from '../submission/useOwnSubmission.ts';
import { useSheets } from '../submission/useSheets.ts';
import { PageThumbnail } from './PageThumbnail.tsx';
import { moved, nextQuestion, questionsOn } from './places.ts';
import { savePlaces } from './placesRequest.ts';
import { QuestionPlace } from './QuestionPlace.tsx';

interface Props {
  kind: Kind;
  submissionId: number;
  questions: ListedQuestion[];
  submission: OwnSubmission;
  onSaved(): void;
  onLater(): void;
}

/**
 * Assigns questions to the pages with their answers. Pressing a page assigns it to the first question without one, so that
 * each question takes one press; or a question is dragged to its page, or its page selected.
 */
export function PlacesEditor({ kind, submissionId, questions, submission, onSaved, onLater }: Props) {
  const { t } = useTranslation();
  const { files } = submission;
  const [places, setPlaces] = useState(submission.pages);
  const { sheets, error: sheetError } = useSheets(null, files);
  const { isBusy, error, submit } = useFormRequest();
  const heading = useId();
  const region = useRef<HTMLElement>(null);
  useLostFocus(region);
  const next = nextQuestion(questions, places);
  const pages = files.map(({ id, name, pages: count }, index) => ({
    id,
    name,
    sheet: sheets?.[index],
    pages: Array.from({ length: sheets?.[index]?.pageCount ?? count }, (_, page) => ({
      file_id: id,
      page: page + 1,
    })),
  }));

  async function save(): Promise<void> {
    const known = places.filter(({ question_id }) => questions.some(({ id }) => id === question_id));
    if (await submit(() => savePlaces(kind, submissionId, known, t))) onSaved();
  }

  return (
    <section ref={region} className="places" aria-labelledby={heading} tabIndex={-1}>
      <h4 id={heading}>{t('Where are your answers?')}</h4>
      <p className="quiet small">
        {t(
          'Graders then open your answers on the right pages. Press the page of each question, or drag or choose it.',
        )}
      </p>
      <ul className="places-questions" aria-label={t('Questions')}>
        {questions.map((question) => (
          <QuestionPlace
            key={question.id}
            question={question}
            files={pages}
            place={places.find(({ question_id }) => question_id === question.id)}
            isNext={question === next}
            onChange={(to) => setPlaces((before) => moved(before, question.id, to))}
          />
        ))}
      </ul>
      <p className="places-next" role="status">
        {next
          ? t('Press the page with question {label}.', { label: next.label })
          : t('Every question has a page.')}
      </p>
      {sheetError !== undefined && (
        <p className="notice">{t('The pages cannot be shown. Choose them by their numbers.')}</p>
      )}
      {pages.map(({ id, name, sheet, pages: ofFile }) => (
        <FilePages key={id} name={files.length > 1 ? name : null}>
          {sheet &&
            ofFile.map((page) => (
              <PageThumbnail
                key={page.page}
                sheet={sheet}
                page={page.page}
                questions={questionsOn(page, questions, places)}
                onPress={() => next && setPlaces((before) => moved(before, next.id, page))}
                onDrop={(questionId) => setPlaces((before) => moved(before, questionId, page))}
              />
            ))}
        </FilePages>
      ))}
      <ErrorNotice text={error} />
      <div className="places-buttons">
        <BusyButton className="button primary" isBusy={isBusy} onPress={() => void save()}>
          {t('Save')}
        </BusyButton>
        <Button className="button" onPress={onLater}>
          {t('Later')}
        </Button>
      </div>
    </section>
  );
}

function FilePages({ name, children }: { name: string | null; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <>
      {name !== null && (
        <p className="small written" dir="auto">
          {name}
        </p>
      )}
      <ol className="places-pages" aria-label={name ?? t('Pages')}>
        {children}
      </ol>
    </>
  );
}
