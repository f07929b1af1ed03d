import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ApiError } from '../../shared/api/apiError.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { ErrorState, Loading } from '../../shared/ui/states.tsx';
import { outlineQuery, questionRubricQuery } from '../queue/questionQueries.ts';
import { previewQuestionRubric, saveQuestionRubric } from '../queue/questionRequests.ts';
import type { Question, QuestionId } from '../queue/questionTypes.ts';
import { EditableRubric } from '../rubric/EditableRubric.tsx';
import './questions.css';

const route = getRouteApi('/inside/graders/grading/$kind/$itemId/tabs/questions/$questionId/rubric');

/** The rubric of one question. */
export function QuestionRubricPage() {
  const { t } = useTranslation();
  const id = route.useParams();
  const outline = useQuery({ ...outlineQuery(id), staleTime: 0 });
  const question = outline.data?.outline.questions.find((each) => each.id === id.questionId);

  // The cached outline may be older than the rubric.
  if (outline.error) return <ErrorState error={outline.error} onRetry={() => void outline.refetch()} />;
  if (!outline.isFetchedAfterMount) return <Loading />;
  if (!question) return <ErrorState error={new ApiError(404, 'Not Found')} />;
  return (
    <>
      <div className="question-rubric-head">
        <h2>{t('Rubric of question {label}', { label: question.label })}</h2>
        {question.title !== null && <p className="written quiet">{question.title}</p>}
        <Link to="/grading/$kind/$itemId/questions" params={id}>
          {t('All questions')}
        </Link>
      </div>
      <QuestionRubric key={question.id} id={id} question={question} />
    </>
  );
}

function QuestionRubric({ id, question }: { id: QuestionId; question: Question }) {
  const query = questionRubricQuery(id, question.rubric !== null);
  // Another question's maximum changes the rubric, so it is refetched, but not while it is being edited.
  const rubric = useQuery({ ...query, staleTime: Number.POSITIVE_INFINITY, gcTime: 0 });
  return (
    <EditableRubric
      item={id}
      rubric={rubric}
      queryKey={query.queryKey}
      usualTotal={question.max_points}
      isMaxFixed
      preview={(body, etag) => previewQuestionRubric(id, body, etag)}
      save={(body, etag) => saveQuestionRubric(id, body, etag)}
    />
  );
}
