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
import { changed, type FilePage, moved, nextQuestion, placesOf, questionsOn } from './places.ts';
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
 * Assigns questions to the pages with their answers. Pressing a page assigns it to the first question without one, so
 * that each question takes one press. A question can also be dragged to its page, or its page selected. An answer can
 * have several pages.
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
  /** The id of the question for which another page is being chosen. */
  const [adding, setAdding] = useState<number>();
  const another = questions.find(({ id }) => id === adding);
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

  function change(questionId: number, index: number, to: FilePage | undefined): void {
    setPlaces((before) => changed(before, questionId, index, to));
    setAdding(undefined);
  }

  function press(page: FilePage): void {
    const question = another ?? next;
    if (question) change(question.id, placesOf(question.id, places).length, page);
  }

  function askedFor(): string {
    if (another) return t('Press another page with question {label}.', { label: another.label });
    if (next) return t('Press the page with question {label}.', { label: next.label });
    return t('Every question has a page.');
  }

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
            places={placesOf(question.id, places)}
            isNext={question === (another ?? next)}
            isAdding={question === another}
            onChange={(index, to) => change(question.id, index, to)}
            onAdding={(is) => setAdding(is ? question.id : undefined)}
          />
        ))}
      </ul>
      <p className="places-next" role="status">
        {askedFor()}
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
                onPress={() => press(page)}
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
