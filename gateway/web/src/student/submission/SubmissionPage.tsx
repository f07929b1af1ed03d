import { getRouteApi } from '@tanstack/react-router';
import { filePath } from '../../shared/api/filePath.ts';
import type { Kind } from '../../shared/api/workTypes.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { ErrorState, Loading } from '../../shared/ui/states.tsx';
import { PlacesStep } from '../places/PlacesStep.tsx';
import { useReviews } from '../reviews/useReviews.ts';
import { Feedback } from './Feedback.tsx';
import { OwnPages } from './OwnPages.tsx';
import './submission.css';
import { Breadcrumb } from '../../shared/layout/Breadcrumb.tsx';
import { type OwnFile, useOwnSubmission } from './useOwnSubmission.ts';
import { useSubmittedItem } from './useSubmittedItem.ts';

const route = getRouteApi('/inside/students/my/submissions/$kind/$id');

/** The student's own work, with the graders' feedback. */
export function SubmissionPage() {
  const { t, formatTime } = useTranslation();
  const { kind, id } = route.useParams();
  const { submission, title, error, refetch } = useOwnSubmission(kind, id);
  const reviews = useReviews(kind, id, submission);
  if (!submission)
    return (
      <div className="page">
        <h1 className="unseen">{t('My submission')}</h1>
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Loading />}
      </div>
    );
  const { grading, annotatedUrl, files, submittedAt } = submission;
  return (
    <div className="page own-submission">
      <div className="page-header">
        <div>
          <Breadcrumb to="/my">{t('My work')}</Breadcrumb>
          <h1 className="written">{title ?? t(kind === 'quizzes' ? 'Quiz' : 'Homework')}</h1>
          <p className="quiet">{t('Handed in {time}', { time: formatTime(submittedAt) })}</p>
        </div>
        <FileLinks annotatedUrl={annotatedUrl} files={files} />
      </div>
      {!grading && <Places kind={kind} id={id} />}
      <div className="own-columns">
        <Feedback submission={submission} reviews={reviews} />
        <OwnPages annotatedUrl={annotatedUrl} files={files} />
      </div>
    </div>
  );
}

/** Lets the student choose the pages of the answers until the time for it has ended. */
function Places({ kind, id }: { kind: Kind; id: number }) {
  const item = useSubmittedItem(kind, id);
  if (!item) return null;
  return <PlacesStep kind={kind} submissionId={id} item={item} isNew={false} />;
}

interface LinksProps {
  annotatedUrl: string | null;
  files: OwnFile[];
}

function FileLinks({ annotatedUrl, files }: LinksProps) {
  const { t } = useTranslation();
  return (
    <div className="file-links">
      {annotatedUrl !== null && (
        <a className="button" href={filePath(annotatedUrl)} target="_blank" rel="noopener noreferrer">
          {t('Annotated PDF')}
        </a>
      )}
      {files.map(({ name, url }) => (
        <a
          key={filePath(url).split('?')[0]}
          className="button plain"
          href={filePath(url)}
          target="_blank"
          rel="noopener noreferrer"
        >
          <span className="written-line" dir="auto">
            {name ?? t('My file')}
          </span>
        </a>
      ))}
    </div>
  );
}
