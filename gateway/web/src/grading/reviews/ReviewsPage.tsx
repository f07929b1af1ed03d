import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ToggleButton } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import type { Column } from '../../shared/list/DataTable.tsx';
import { PagedTable } from '../../shared/list/PagedTable.tsx';
import { RelativeTime } from '../../shared/time/RelativeTime.tsx';
import { EmptyState } from '../../shared/ui/states.tsx';
import type { ItemId, Review } from '../queue/gradingTypes.ts';
import { positiveInteger } from '../queue/positiveInteger.ts';
import { NextReview } from './NextReview.tsx';
import { type ReviewFilter, reviewsQuery } from './reviewQueries.ts';
import './reviews.css';

const route = getRouteApi('/inside/graders/grading/$kind/$itemId/tabs/reviews');

/** English texts. */
const filters: Record<ReviewFilter, string> = { open: 'Open', closed: 'Closed', all: 'All' };

/** Lists the reviews that students have asked for. */
export function ReviewsPage() {
  const { t } = useTranslation();
  const item = route.useParams();
  const search = route.useSearch();
  const state: ReviewFilter = search.state !== undefined && search.state in filters ? search.state : 'open';
  const page = positiveInteger(search.page) ?? 1;
  const navigate = route.useNavigate();
  const list = useQuery(reviewsQuery(item, state, page));
  const filter = (chosen: ReviewFilter) =>
    void navigate({ search: chosen === 'open' ? {} : { state: chosen }, replace: true, resetScroll: false });
  const columns: Column<Review>[] = [
    { name: t('Student'), cell: (review) => <StudentLink item={item} review={review} /> },
    {
      name: t('Question'),
      cell: ({ label }) => (label === null ? <span className="quiet no-value">–</span> : <bdi>{label}</bdi>),
    },
    { name: t('Text'), cell: (review) => <ReviewText review={review} /> },
    {
      name: t('State'),
      cell: (review) => <span className={`badge review-${review.state}`}>{t(filters[review.state])}</span>,
    },
    { name: t('Opened'), cell: ({ created_at }) => <RelativeTime at={created_at} /> },
  ];
  return (
    <div className="reviews">
      <div className="review-filters">
        <fieldset className="review-states">
          <legend className="unseen">{t('State')}</legend>
          {(Object.keys(filters) as ReviewFilter[]).map((each) => (
            <ToggleButton
              key={each}
              className="button plain"
              isSelected={state === each}
              onChange={() => filter(each)}
            >
              {t(filters[each])}
            </ToggleButton>
          ))}
        </fieldset>
        <NextReview item={item} />
      </div>
      <PagedTable
        list={list}
        label={t('Reviews')}
        columns={columns}
        empty={
          <EmptyState title={state === 'open' ? t('No open reviews') : t('No reviews')}>
            <p>{t('Students can ask for a review after the release, if the settings allow it.')}</p>
          </EmptyState>
        }
      />
    </div>
  );
}

function StudentLink({ item: { kind, itemId }, review }: { item: ItemId; review: Review }) {
  const { submission_id: submissionId, question_id: question, student } = review;
  return (
    <Link
      to="/grading/$kind/$itemId/submissions/$submissionId"
      params={{ kind, itemId, submissionId }}
      search={question === null ? {} : { question }}
      className="written"
    >
      {student.name}
    </Link>
  );
}

function ReviewText({ review: { text, answer } }: { review: Review }) {
  return (
    <>
      <span className="written review-excerpt" dir="auto">
        {text}
      </span>
      {answer !== null && (
        <span className="written review-excerpt quiet small" dir="auto">
          {answer}
        </span>
      )}
    </>
  );
}
