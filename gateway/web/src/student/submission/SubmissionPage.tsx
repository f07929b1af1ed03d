import { getRouteApi } from '@tanstack/react-router';
import { filePath } from '../../shared/api/filePath.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { ErrorState, Loading } from '../../shared/ui/states.tsx';
import { Feedback } from './Feedback.tsx';
import { OwnPages } from './OwnPages.tsx';
import './submission.css';
import { Breadcrumb } from '../../shared/layout/Breadcrumb.tsx';
import { useOwnSubmission } from './useOwnSubmission.ts';

const route = getRouteApi('/inside/students/my/submissions/$kind/$id');

/** The student's own work, with the graders' feedback. */
export function SubmissionPage() {
  const { t, formatTime } = useTranslation();
  const { kind, id } = route.useParams();
  const { submission, title, error, refetch } = useOwnSubmission(kind, id);
  if (!submission)
    return (
      <div className="page">
        <h1 className="unseen">{t('My submission')}</h1>
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Loading />}
      </div>
    );
  const { grading, annotatedUrl, files, submittedAt, late } = submission;
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
      <div className="own-columns">
        <Feedback grading={grading} late={late} />
        <OwnPages annotatedUrl={annotatedUrl} files={files} />
      </div>
    </div>
  );
}

interface LinksProps {
  annotatedUrl: string | null;
  files: { name: string | null; url: string }[];
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
